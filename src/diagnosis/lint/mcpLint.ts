import type { JsonObject } from '../../protocols/json';
import { isObject, objectOf } from '../../protocols/json';
import { methodNotFound } from '../failures/codes';
import type { Conversation } from '../conversation/conversation';
import type { Findings, Rule } from '../rule';
import type { NotificationFact, RequestFact, ResponseFact } from '../../protocols/facts';
import { kindOf, valueIn } from './shapes';
import { nullsIn } from './mcpNulls';
import type { Violation } from './mcpShapes';
import { shapesOf } from './mcpShapes';

/** What answers and notifications of a server have to have (MCP 2025-11-25). */
const requiredInResults: ReadonlyMap<string, readonly string[]> = new Map([
  ['initialize', ['protocolVersion', 'capabilities', 'serverInfo']],
  ['tools/list', ['tools']],
  ['resources/list', ['resources']],
  ['resources/templates/list', ['resourceTemplates']],
  ['resources/read', ['contents']],
  ['prompts/list', ['prompts']],
  ['prompts/get', ['messages']],
  ['completion/complete', ['completion']],
]);
const requiredInNotifications: ReadonlyMap<string, readonly string[]> = new Map([
  ['notifications/message', ['level', 'data']],
  ['notifications/progress', ['progressToken', 'progress']],
]);
/** What the client has to declare before it may be asked. */
const needed: ReadonlyMap<string, string> = new Map([
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
  ['elicitation/create', 'elicitation'],
]);

const resultAdvice = 'Where there is nothing to tell, the result is `{}`: a client may refuse any other.';
const offerAdvice = "Look at the client's `capabilities` first, and do without where it does not offer this.";
const loggingAdvice = 'Answer logging/setLevel with `{}`, or do not declare `logging`.';
const required = 'MCP requires it: a client may refuse the message.';

/** What MCP does not allow, in messages of the server. */
export const mcpLint: Rule = {
  methods: requiredInNotifications,

  request: (fact, conversation) => found(fact, () => ofQuestion(fact.request.method, conversation)),

  notification(fact) {
    const { method, params } = fact;
    return found(fact, () => without(method, params, requiredInNotifications.get(method)));
  },

  response: (fact, conversation) => found(fact, () => ofResponse(fact, conversation)),
};

/** In a message of which only a part was kept, what is missing may have been left out by us. */
function found(
  { dir, event }: RequestFact | NotificationFact | ResponseFact,
  violations: () => readonly Violation[],
): Findings {
  if (dir !== 'a2c' || event.bytes !== undefined) return undefined;
  return violations().map(({ what, advice = required, key = what }) => ({
    code: 'protocol-violation',
    level: 'warning',
    what,
    advice,
    key,
  }));
}

function ofQuestion(method: string, { initializeParams, clientCapabilities }: Conversation): readonly Violation[] {
  const capability = needed.get(method);
  const lacks = capability !== undefined && initializeParams && clientCapabilities[capability] === undefined;
  return lacks ? [{ what: `asks for ${method}, which the client does not offer`, advice: offerAdvice }] : [];
}

function ofResponse({ request, result, error, msg }: ResponseFact, conversation: Conversation): readonly Violation[] {
  if (request?.method === 'logging/setLevel' && error?.code === methodNotFound) {
    const declares = conversation.initializeResult && conversation.agentCapabilities['logging'] !== undefined;
    if (!declares) return [];
    return [{ what: 'declares `logging`, and does not know logging/setLevel', advice: loggingAdvice }];
  }
  if (!request || error) return [];
  const name = `the answer to ${request.method}`;
  if ('result' in msg && !isObject(result)) {
    const what = `${name} is ${kindOf(result)}, where MCP has an object${valueIn(result)}`;
    return [{ what, advice: resultAdvice, key: `${name} ${kindOf(result)}` }];
  }
  const fields = objectOf(result);
  // More has to be known for it first, or it has another form altogether (MCP 2026-07-28 "Multi Round-Trip Requests").
  if (fields['resultType'] !== undefined && fields['resultType'] !== 'complete') return [];
  return [
    ...without(name, fields, requiredInResults.get(request.method)),
    ...shapesOf(request.method, name, fields),
    ...nullsIn(request.method, name, fields),
  ];
}

function without(name: string, fields: JsonObject, needs: readonly string[] = []): readonly Violation[] {
  const names = needs.filter((field) => fields[field] === undefined);
  return names.length === 0 ? [] : [{ what: `${name} without ${names.map((field) => `\`${field}\``).join(', ')}` }];
}
