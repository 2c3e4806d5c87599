import type { Level } from '../../log/level';
import { shortenId, withShortNamedIds } from '../../log/sessionLabel';
import { boundedJson } from '../../log/boundedJson';
import { duration, oneLine } from '../../log/text';
import type { ErrorParts, ExchangeText } from '../jsonrpc/exchangeText';
import { errorMessage, unansweredText } from '../jsonrpc/exchangeText';
import type { JsonObject } from '../json';
import { arrayOf, isObject, objectOf, textOf } from '../json';
import { requestCancelled } from '../jsonrpc/message';
import type { OpenRequest } from '../jsonrpc/requests';
import { commandOf } from '../activity/toolOutput';
import { contentText } from '../contentText';
import { ownHead } from '../../log/ownText';
import { modeIdOf } from './sessionModes';

/** ACP "Error codes". */
const authRequired = -32000;

/** What a request says, where that is worth a record of its own before it is answered. */
export function describeRequest({ method, direction }: OpenRequest, params: unknown): ExchangeText | undefined {
  if (direction === 'out') {
    if (method !== 'session/prompt') return undefined;
    const text = arrayOf(objectOf(params)['prompt'])
      .map((content) => contentText(content))
      .join(' ');
    return { level: 'info', logger: 'prompt', message: oneLine(text, 2000) };
  }
  if (method !== 'session/request_permission') {
    return {
      level: 'debug',
      logger: method,
      message: `asked by the agent ${withShortId(boundedJson(params ?? null, 1000), params)}`,
    };
  }
  const { options, subject, title: question } = objectOf(params);
  // Version 2 has its own title, and any subject.
  const toolCall = objectOf(objectOf(params)['toolCall'] ?? objectOf(subject)['toolCall']);
  const choices = arrayOf(options).map((option) => textOf(objectOf(option)['name']) ?? '?');
  const title = textOf(question) ?? textOf(toolCall['title']) ?? textOf(toolCall['toolCallId']) ?? 'something';
  const command = textOf(objectOf(subject)['command']);
  const input = toolCall['rawInput'] ?? (command === undefined ? undefined : { command });
  return {
    level: 'notice',
    logger: 'permission',
    message: `asked for: ${oneLine(title, 200)} (${choices.join(' / ')})`,
    ...(isObject(input) && { data: input }),
  };
}

/** What of a request's parameters its answer is told with. The rest may be large, and requests may stay open for long. */
export function notedOf(method: string, params: unknown): unknown {
  if (method === 'session/set_mode') return { modeId: modeIdOf(objectOf(params)['modeId']) };
  if (method.startsWith('terminal/')) return terminalOf(objectOf(params));
  if (method !== 'session/request_permission') return undefined;
  const options = arrayOf(objectOf(params)['options']).slice(0, 20).map(objectOf);
  return {
    options: options.map(({ optionId, name, kind }) => ({
      optionId: optionKey(optionId),
      kind: oneLine(textOf(kind) ?? '', 40),
      name: oneLine(textOf(name) ?? '', 200),
    })),
  };
}

function terminalOf({ terminalId, command, args }: JsonObject): unknown {
  const id = textOf(terminalId);
  if (id !== undefined) return { terminalId: ownHead(id, 200) };
  return { command: ownHead(commandOf({ command: [command, ...arrayOf(args)] }) ?? '', 1000) };
}

function optionKey(optionId: unknown): string {
  return ownHead(textOf(optionId) ?? '', 200);
}

/** Session ids are bearer-like: in the text of a message they are shown short, like everywhere. */
export function withShortId(text: string, params: unknown): string {
  const id = textOf(objectOf(params)['sessionId']);
  return withShortNamedIds(id === undefined || id.length <= 8 ? text : shortenId(text, id));
}

/** What an answer says. */
export function describeResult(request: OpenRequest, result: unknown, ms: number): ExchangeText {
  const fields = objectOf(result);
  const took = duration(ms);
  switch (request.direction === 'out' ? request.method : `in ${request.method}`) {
    case 'initialize':
      return { level: 'info', kind: 'lifecycle', message: `initialized in ${took}: ${describeAgent(fields)}` };
    case 'session/new':
      return { level: 'info', kind: 'lifecycle', message: `session created in ${took}` };
    case 'session/load':
    case 'session/resume':
    case 'session/fork':
      return { level: 'info', kind: 'lifecycle', message: `${request.method} answered in ${took}` };
    case 'session/close':
    case 'session/delete':
      return {
        level: 'info',
        kind: 'lifecycle',
        message: `session ${request.method === 'session/close' ? 'closed' : 'deleted'}`,
      };
    case 'session/prompt':
      return describeTurn(fields, took);
    case 'authenticate':
    case 'auth/login':
      return { level: 'info', kind: 'lifecycle', message: `authenticated in ${took}` };
    case 'in session/request_permission':
      return { level: 'info', logger: 'permission', message: `${describeOutcome(request, fields)} (after ${took})` };
    default:
      return {
        level: 'debug',
        logger: request.method,
        message: `answered in ${took} ${withShortId(boundedJson(result ?? null, 1000), result)}`,
      };
  }
}

/** What an error says: `failed` where the agent answered, `refused` where we did, and `cancelled`, which is neither. */
export function describeError(request: OpenRequest, parts: ErrorParts, ms: number): ExchangeText {
  const how = parts.code === requestCancelled ? 'cancelled' : request.direction === 'out' ? 'failed' : 'refused';
  return {
    level: errorLevel(request, parts.code),
    logger: loggerOf(request),
    message: `${how} after ${duration(ms)}: ${errorMessage(parts)}`,
    ...(parts.data !== undefined && { data: parts.data }),
  };
}

/** A request that ended with the agent. */
export function describeUnanswered(request: OpenRequest, ms: number, askedToEnd: boolean): ExchangeText {
  const failed = request.method === 'session/prompt' ? 'error' : 'warning';
  return { logger: loggerOf(request), ...unansweredText(request, ms, askedToEnd, failed) };
}

/** A failed turn is filed as the others are. */
function loggerOf({ method }: OpenRequest): string {
  return method === 'session/prompt' ? 'turn' : method;
}

function errorLevel(request: OpenRequest, code: unknown): Level {
  if (request.direction === 'in') return 'info'; // we declared no such capability: our refusal is no fault
  // Probes: agents need not know them.
  if (request.method === 'logging/setLevel' || request.method.startsWith('_')) return 'debug';
  if (code === requestCancelled) return 'info';
  return code === authRequired ? 'warning' : 'error';
}

function describeAgent(result: Readonly<Record<string, unknown>>): string {
  const info = objectOf(result['agentInfo'] ?? result['info']);
  const name = textOf(info['title']) ?? textOf(info['name']);
  const version = textOf(info['version']);
  const protocol = boundedJson(result['protocolVersion'] ?? null, 40);
  const agent = [name && oneLine(name, 100), version && oneLine(version, 40)]
    .filter((part) => part !== undefined)
    .join(' ');
  return `${agent === '' ? '' : `${agent}, `}protocol version ${protocol}`;
}

function describeTurn(result: Readonly<Record<string, unknown>>, took: string): ExchangeText {
  const { usage } = result;
  const reason = textOf(result['stopReason']) ?? textOf(result['messageId']) ?? 'no stop reason';
  const level = reason === 'refusal' || reason.startsWith('max_') ? 'warning' : 'info';
  return {
    level,
    logger: 'turn',
    message: `ended after ${took}: ${reason}`,
    ...(isObject(usage) && { data: { usage } }),
  };
}

function describeOutcome(request: OpenRequest, result: Readonly<Record<string, unknown>>): string {
  const outcome = objectOf(result['outcome']);
  if (outcome['outcome'] !== 'selected') return `answered: ${textOf(outcome['outcome']) ?? '(no outcome)'}`;
  const chosen = arrayOf(objectOf(request.noted)['options'])
    .map(objectOf)
    .find((option) => option['optionId'] === optionKey(outcome['optionId']));
  return `answered: ${textOf(chosen?.['name']) ?? textOf(outcome['optionId']) ?? '(no option)'}`;
}
