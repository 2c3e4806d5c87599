import { boundedJson } from '../../../text/boundedJson';
import { duration, oneLine } from '../../../text/text';
import { ownKey } from '../../../text/ownText';
import type { Asking, PermissionFact } from '../../../work/activity';
import { maxActivityId } from '../../../work/activity';
import { inputDigest } from '../../../work/tools/inputDigest';
import { commandOf } from '../../../work/tools/toolOutput';
import type { JsonObject } from '../../../text/json';
import { arrayOf, objectOf, requestIdOf, textOf, textsOf } from '../../../text/json';
import type { EventText } from '../../../protocols/agentWriter/verbs';
import { restOf } from '../../reading/streams/eventText';
import type { AgentWriter } from '../../../protocols/agentWriter/agentWriter';
import type { ClaudeState } from './state';
import { toolTitle } from '../../../protocols/agentWriter/toolText';

/** The control requests that a person has to answer. */
const questions: ReadonlyMap<string, Asking> = new Map<string, Asking>([
  ['can_use_tool', 'permission'],
  ['elicitation', 'answer'],
  ['request_user_dialog', 'answer'],
]);

/** Maximum number of rules to read from an answer. */
const maxRules = 20;

/** Kept for a control request until it is answered. */
interface Question {
  readonly about: { readonly asking: Asking; readonly toolId: string | undefined };
  /** Of a command that waits for permission. */
  readonly command: string | undefined;
}

type ControlType = 'control_request' | 'control_response' | 'control_cancel_request';

/**
 * The control protocol between Claude Code and its client (`--input-format stream-json`, `SDKControlRequest`): the only requests in the stream that need
 * a response.
 */
export function readControl(type: ControlType, event: JsonObject, writer: AgentWriter, state: ClaudeState): void {
  if (type === 'control_request') return readRequest(event, writer, state);
  const response = type === 'control_response' ? objectOf(event['response']) : event;
  const id = requestIdOf(response['request_id']);
  const takenBack = type === 'control_cancel_request';
  const request = id === undefined ? undefined : writer.requestClosed(id, { takenBack });
  const method = request?.method ?? 'control';
  const after = request ? ` after ${duration(writer.place.event.t - request.startedAt)}` : '';
  const question = request?.noted as Question | undefined;
  if (takenBack) {
    const text: EventText = { level: 'info', logger: method, message: `taken back${after}` };
    return writer.settled(id === undefined ? id : String(id), 'cancelled', text, question?.about);
  }
  const text = describeResponse(response, method, after);
  if (id === undefined || !writer.isInput || !question) return writer.note(text);
  const answer = objectOf(response['response']);
  const always = alwaysOf(answer, question.command);
  writer.settled(String(id), outcomeOf(answer), text, { ...question.about, always });
  const { toolId } = question.about;
  if (toolId === undefined) return;
  state.settled(toolId);
  writer.fact({ type: 'tool', change: 'resumed', id: toolId });
}

/** A permission has a `behavior`, a form an `action`. */
function outcomeOf({ behavior, action }: JsonObject): PermissionFact['outcome'] {
  if (behavior === 'allow' || action === 'accept') return 'ok';
  if (behavior === 'deny' || action === 'decline') return 'refused';
  return behavior === 'cancelled' || action === 'cancel' ? 'cancelled' : undefined;
}

/** The rules that the user added with the answer, as far as they are about the same call: `Bash`, `Bash(npm test:*)`. */
function alwaysOf(answer: JsonObject, command: string | undefined): string | undefined {
  const rules = arrayOf(answer['updatedPermissions'])
    .map(objectOf)
    .filter(({ type, behavior }) => type === 'addRules' && (behavior === 'allow' || behavior === 'deny'))
    .flatMap((update) => arrayOf(update['rules']).map(objectOf))
    .slice(0, maxRules)
    .flatMap(({ toolName, ruleContent }) => {
      const [name, content] = [textOf(toolName), textOf(ruleContent)];
      if (name === undefined || (content !== undefined && !covers(content, command))) return [];
      return content === undefined ? name : `${name}(${content})`;
    });
  return rules.length === 0 ? undefined : rules.join(', ');
}

/** Whether a rule, such as `npm test` or `npm run:*`, is about a command. */
function covers(rule: string, command = ''): boolean {
  const prefix = /^(.+?):?\*$/.exec(rule.slice(0, 1000))?.[1];
  if (prefix === undefined) return rule === command;
  return command.startsWith(prefix) && !/[;&|`\n]|\$\(/.test(command.slice(0, 1000));
}

function readRequest(event: JsonObject, writer: AgentWriter, state: ClaudeState): void {
  const request = objectOf(event['request']);
  const method = oneLine(textOf(request['subtype']) ?? 'control', 100);
  const id = requestIdOf(event['request_id']);
  const asking = questions.get(method);
  const toolId = textOf(request['tool_use_id']);
  const { tool_name: name, input } = request;
  const command = commandOf(input)?.slice(0, 1000);
  const about = asking && { asking, toolId: toolId && ownKey(toolId, maxActivityId) };
  if (id !== undefined) writer.requestOpened(id, method, about && { about, command });
  const title = toolTitle(textOf(name) ?? 'a tool', input);
  const text: EventText =
    method === 'can_use_tool'
      ? { level: 'notice', logger: 'permission', message: `asked for: ${oneLine(title, 1000)}` }
      : { level: 'debug', logger: method, message: `asked ${restOf(request)}` };
  if (!about) return writer.note(text);
  const [message] = textsOf(request['message'], request['title']);
  const subject = asking === 'answer' ? message : textOf(name) === undefined ? undefined : title;
  const tool = { name: textOf(name), command, input: inputDigest(input) };
  const question = String(id ?? '');
  writer.asked(question, subject && oneLine(subject, 300), { ...about, tool }, text);
  if (about.toolId !== undefined) state.asked(about.toolId, { ...about, id: question });
}

function describeResponse(response: JsonObject, method: string, after: string): EventText {
  const logger = method === 'can_use_tool' ? 'permission' : method;
  if (response['subtype'] === 'error') {
    const error = textOf(response['error']) ?? boundedJson(response['error'] ?? null, 500);
    return { level: 'warning', logger, message: `failed${after}: ${oneLine(error, 1000)}` };
  }
  const answer = objectOf(response['response']);
  const behavior = textOf(answer['behavior']);
  if (behavior === undefined) return { level: 'debug', logger, message: `answered${after} ${restOf(answer)}` };
  const why = textOf(answer['message']);
  return {
    level: 'info',
    logger,
    message: `answered: ${behavior}${after}${why === undefined ? '' : `: ${oneLine(why, 500)}`}`,
  };
}
