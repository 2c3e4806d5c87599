import type { Level } from '../../text/level';
import { shortenId, withShortNamedIds } from '../../text/sessionLabel';
import { boundedJson } from '../../text/boundedJson';
import { duration, oneLine } from '../../text/text';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import { errorExchange } from '../jsonrpc/exchangeText';
import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, objectOf, textOf, textsOf, requestIdOf } from '../../text/json';
import { loginRequired, requestCancelled } from '../../work/errorCodes';
import type { OpenRequest } from '../../work/requests';
import type { RpcError } from '../../work/rpcError';
import { commandOf } from '../../work/tools/toolOutput';
import { contentText } from '../../work/tools/contentText';
import { ownHead, ownKey } from '../../text/ownText';
import type { PermissionOption } from './questions';
import { offeredOptions, permissionAnswer, permissionQuestion } from './questions';
import { modeIdOf } from './sessionInfo';
import { describeTurn } from './words';

/**
 * Describes a request that is worth a record before it is answered.
 * @param asker the subagent that asks, if any
 */
export function describeRequest(
  { method, direction }: OpenRequest,
  params: unknown,
  asker?: string,
): ExchangeText | undefined {
  if (direction === 'out') {
    if (method !== 'session/prompt') return undefined;
    const text = arrayOf(objectOf(params)['prompt'])
      .map((content) => contentText(content))
      .join(' ');
    return { level: 'info', logger: 'prompt', content: 'prompt', message: oneLine(text, 2000) };
  }
  if (method !== 'session/request_permission') {
    return {
      level: 'debug',
      logger: method,
      message: `asked by the agent ${withShortId(boundedJson(params ?? null, 1000), params)}`,
    };
  }
  const { title, description, input, options } = permissionQuestion(objectOf(params));
  const choices = options.map(({ name }) => textOf(name) ?? '?').join(' / ');
  const why = description === undefined ? '' : `: ${oneLine(description, 300)}`;
  return {
    level: 'notice',
    logger: 'permission',
    message: `${asker === undefined ? '' : `${asker} `}asked for: ${oneLine(title, 200)}${why} (${choices})`,
    ...(isObject(input) && { data: input }),
  };
}

/** The parameters to keep for describing the answer. The rest may be large, and requests may stay open for a long time. */
export function notedOf(method: string, params: unknown): unknown {
  if (method === 'initialize') return { isProbe: offersBoth(params) };
  if (method === 'session/set_mode') return { modeId: modeIdOf(objectOf(params)['modeId']) };
  if (method.startsWith('terminal/')) return terminalOf(objectOf(params));
  if (method !== 'session/request_permission') return undefined;
  return offeredOptions(objectOf(params));
}

/** Whether `initialize` offers version 2 with version 1's fields, too. If the agent refuses it, the client asks again. */
export function offersBoth(params: unknown): boolean {
  const { protocolVersion, clientCapabilities } = objectOf(params);
  return Number(protocolVersion) > 1 && isObject(clientCapabilities);
}

function terminalOf({ terminalId, command, args }: JsonObject): unknown {
  const id = textOf(terminalId);
  if (id !== undefined) return { terminalId: ownKey(id, 200) };
  return { command: ownHead(commandOf({ command: [command, ...arrayOf(args)] }) ?? '', 1000) };
}

/** Shortens session IDs in a message, because they are bearer-like. */
function withShortId(text: string, params: unknown): string {
  const id = textOf(objectOf(params)['sessionId']);
  return withShortNamedIds(id === undefined || id.length <= 8 ? text : shortenId(text, id));
}

/**
 * Describes a successful response.
 * @param replayed number of history updates that preceded it
 * @param isCancelled whether the turn that it ends was cancelled
 */
export function describeResult(
  request: OpenRequest,
  result: unknown,
  ms: number,
  { replayed = 0, isCancelled = false } = {},
): ExchangeText {
  const fields = objectOf(result);
  const took = duration(ms);
  switch (request.direction === 'out' ? request.method : `in ${request.method}`) {
    case 'initialize':
      return lifecycle(`initialized in ${took}: ${describeAgent(fields)}`, request.isOptional);
    case 'session/new':
      return lifecycle(`session created in ${took}`);
    case 'session/load':
    case 'session/resume':
    case 'session/fork':
      return lifecycle(`${request.method} answered in ${took}${replayedText(replayed)}`);
    case 'session/close':
      return lifecycle('session closed');
    case 'session/delete':
      return lifecycle('session deleted');
    case 'session/prompt':
      return describeTurn(fields, took, isCancelled);
    case 'authenticate':
    case 'auth/login':
      return lifecycle(`authenticated in ${took}`);
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

function lifecycle(message: string, isMinor = false): ExchangeText {
  return { level: isMinor ? 'debug' : 'info', kind: 'lifecycle', message };
}

function replayedText(updates: number): string {
  return updates === 0 ? '' : `, ${updates} ${updates === 1 ? 'update' : 'updates'} replayed`;
}

/** Describes an error: `failed` if the agent returned it, `refused` if we did, or `cancelled`. */
export function describeError(request: OpenRequest, error: RpcError, ms: number): ExchangeText {
  const how = error.code === requestCancelled ? 'cancelled' : request.direction === 'out' ? 'failed' : 'refused';
  return errorExchange(errorLevel(request, error.code), loggerOf(request), `${how} after ${duration(ms)}`, error);
}

/** Failed turns use the same logger as other turns. */
export function loggerOf({ method }: OpenRequest): string {
  return method === 'session/prompt' ? 'turn' : method;
}

function errorLevel(request: OpenRequest, code: unknown): Level {
  if (request.direction === 'in') return 'info'; // we didn't declare this capability, so refusing is fine
  // Probes that agents may not support.
  const isProbe = objectOf(request.noted)['isProbe'] === true;
  if (isProbe || request.method === 'logging/setLevel' || request.method.startsWith('_')) return 'debug';
  if (code === requestCancelled) return 'info';
  return code === loginRequired ? 'warning' : 'error';
}

function describeAgent(result: Readonly<Record<string, unknown>>): string {
  const info = objectOf(result['agentInfo'] ?? result['info']);
  const name = textOf(info['title']) ?? textOf(info['name']);
  const version = textOf(info['version']);
  const protocol = boundedJson(result['protocolVersion'] ?? null, 40);
  const agent = textsOf(name && oneLine(name, 100), version && oneLine(version, 40)).join(' ');
  return `${agent === '' ? '' : `${agent}, `}protocol version ${protocol}`;
}

function describeOutcome({ noted }: OpenRequest, result: JsonObject): string {
  const answer = permissionAnswer(result, noted as readonly PermissionOption[]);
  if (answer.type === 'other') return `answered: ${answer.outcome ?? '(no outcome)'}`;
  const { option, optionId = '(no option)' } = answer;
  if (!option) return `answered: ${optionId}, an unknown option`;
  return `answered: ${option.name === '' ? optionId : option.name}`;
}

/**
 * Describes any notification except logs and updates.
 * @param cancelled the open request that a `$/cancel_request` names
 * @param t time of receipt, in milliseconds since the epoch
 */
export function describeNotification(
  method: string,
  params: unknown,
  cancelled: OpenRequest | undefined,
  t: number,
): ExchangeText {
  if (method === 'session/cancel') return { level: 'info', logger: 'turn', message: 'cancel asked for' };
  if (method === '$/cancel_request') {
    const what = cancelled
      ? `${cancelled.method}, open for ${duration(t - cancelled.startedAt)}`
      : `request ${boundedJson(requestIdOf(objectOf(params)['requestId']) ?? null, 300)}`;
    return { level: 'info', logger: '$/cancel_request', message: `cancel asked for: ${what}` };
  }
  if (method === '_auth/status_update') return describeAuth(objectOf(objectOf(params)['authStatus']));
  return { level: 'info', logger: method, message: withShortId(boundedJson(params ?? null, 2000), params) };
}

/** claude-agent-acp and codex-acp report which account they use. */
function describeAuth(status: JsonObject): ExchangeText {
  const { kind, label, detail } = status;
  const how = textsOf(textOf(label) ?? textOf(kind) ?? boundedJson(status, 300), detail);
  return { level: 'debug', logger: 'login', message: oneLine(how.join(', '), 300) };
}
