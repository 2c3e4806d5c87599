import type { JsonObject } from '../../json';
import { objectOf } from '../../json';
import { methodNotFound } from '../codes';
import type { Conversation } from '../conversation';
import type { Report, Rule } from '../rule';
import type { Seen } from '../seen';

/** What answers and notifications of a server have to have (MCP 2025-11-25). */
const requiredInResults: ReadonlyMap<string, readonly string[]> = new Map([
  ['initialize', ['protocolVersion', 'capabilities', 'serverInfo']],
  ['tools/list', ['tools']],
  ['resources/list', ['resources']],
  ['resources/read', ['contents']],
  ['prompts/list', ['prompts']],
  ['prompts/get', ['messages']],
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

/** What MCP does not allow, in messages of the server. */
export class McpLint implements Rule {
  passesLog(): boolean {
    return true;
  }

  see(seen: Seen, conversation: Conversation, report: Report): void {
    const found = violation(seen, conversation);
    if (found === undefined || seen.event.dir !== 'a2c') return;
    report({
      code: 'protocol-violation',
      level: 'warning',
      what: found,
      advice: 'MCP requires it: a client may refuse the message.',
      key: found,
      at: seen.event.t,
      raw: seen.event.line,
    });
  }
}

function violation(seen: Seen, conversation: Conversation): string | undefined {
  switch (seen.type) {
    case 'response': {
      if (seen.request?.method === 'logging/setLevel' && seen.error?.code === methodNotFound) {
        const declares = conversation.initializeResult && conversation.agentCapabilities['logging'] !== undefined;
        return declares ? 'declares `logging`, and does not know logging/setLevel' : undefined;
      }
      const method = seen.error ? undefined : seen.request?.method;
      const result = objectOf(seen.result);
      // More has to be known for it first (MCP 2026-07-28 "Multi Round-Trip Requests").
      if (result['resultType'] === 'input_required') return undefined;
      return without(`the answer to ${method ?? ''}`, result, requiredInResults.get(method ?? ''));
    }
    case 'notification':
      return without(seen.method, seen.params, requiredInNotifications.get(seen.method));
    case 'request': {
      const capability = needed.get(seen.request.method);
      const lacks =
        capability !== undefined &&
        conversation.initializeParams &&
        conversation.clientCapabilities[capability] === undefined;
      return lacks ? `asks for ${seen.request.method}, which the client does not offer` : undefined;
    }
    default:
      return undefined;
  }
}

function without(name: string, fields: JsonObject, required: readonly string[] = []): string | undefined {
  const names = required.filter((field) => fields[field] === undefined);
  return names.length === 0 ? undefined : `${name} without ${names.map((field) => `\`${field}\``).join(', ')}`;
}
