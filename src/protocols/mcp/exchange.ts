import { boundedJson } from '../../text/boundedJson';
import type { Level } from '../../text/level';
import { duration, oneLine } from '../../text/text';
import { contentText } from '../../work/tools/contentText';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import { errorExchange, subjectOf, withSubject } from '../jsonrpc/exchangeText';
import type { JsonObject } from '../../text/json';
import { isObject, objectOf, textOf } from '../../text/json';
import { methodNotFound, missingClientCapability, requestCancelled, unsupportedVersion } from '../../work/errorCodes';
import type { OpenRequest } from '../../work/requests';
import type { RpcError } from '../../work/rpcError';
import { describeInputResponses } from './serverAsks';
import { loggerOf } from './subject';

/** MCP 2025-11-25, "URL Mode Elicitation". */
const urlElicitationRequired = -32042;

/** The field of a result that holds the list asked for, by method. */
const lists: ReadonlyMap<string, string> = new Map([
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
  ['tasks/list', 'tasks'],
  ['resources/read', 'contents'],
  ['prompts/get', 'messages'],
]);

/** Describes one of our requests, if it deserves a record before its response. */
export function describeCall(request: OpenRequest, params: unknown): ExchangeText | undefined {
  const logger = loggerOf(request);
  const answers = describeInputResponses(params);
  const name = subjectOf(request) ?? '(no name)';
  if (answers !== undefined) {
    const how = request.method === 'tasks/update' ? 'answered' : 'asked again with';
    return { level: 'info', logger, message: withSubject(request, `${how}: ${answers}`) };
  }
  if (request.method === 'tasks/cancel') {
    return { level: 'info', logger, message: withSubject(request, 'asked to cancel its task') };
  }
  if (request.role !== 'tool') return undefined;
  const args = objectOf(params)['arguments'];
  return {
    level: 'info',
    logger,
    message: `${name}(${args === undefined ? '' : boundedJson(args, 500)})`,
  };
}

/** Describes a result. */
export function describeResult(request: OpenRequest, result: unknown, ms: number): ExchangeText {
  const fields = objectOf(result);
  const took = duration(ms);
  const logger = loggerOf(request);
  if (fields['resultType'] === 'input_required') {
    return { level: 'info', logger, message: withSubject(request, `wants to know more (answered in ${took})`) };
  }
  if (request.role === 'tool') return describeToolResult(request, result, took);
  const list = lists.get(request.method);
  return { level: 'debug', logger, message: withSubject(request, `${describeList(list, result)} in ${took}`) };
}

/** Describes an error response. */
export function describeError(request: OpenRequest, error: RpcError, ms: number): ExchangeText {
  const how = error.code === requestCancelled ? 'cancelled' : 'failed';
  const what = withSubject(request, `${how} after ${duration(ms)}`);
  return errorExchange(errorLevel(request, error.code), loggerOf(request), what, error);
}

/** Describes our error response to the server. Refusing what we never declared isn't an error. */
export function describeRefusal(request: OpenRequest, error: RpcError, ms: number): ExchangeText {
  const how = error.code === requestCancelled ? 'cancelled' : 'refused';
  return errorExchange('info', loggerOf(request), `${how} after ${duration(ms)}`, error);
}

/** One of our requests that failed without a response. */
export function describeFailure(request: OpenRequest, reason: string, ms: number, askedToEnd: boolean): ExchangeText {
  return {
    // Servers that don't know it may also refuse it with an HTTP status.
    level: askedToEnd || request.method === 'server/discover' ? 'info' : 'error',
    logger: loggerOf(request),
    message: withSubject(request, `failed after ${duration(ms)}: ${reason}`),
  };
}

/** A cancelled request, which is never an error. */
export function describeCancelled(
  request: OpenRequest,
  reason: string | undefined,
  ms: number,
  by: 'client' | 'server',
): ExchangeText {
  const who = by === 'server' ? ' by the server' : '';
  const why = reason === undefined ? '' : `: ${oneLine(reason, 500)}`;
  return {
    level: 'info',
    logger: loggerOf(request),
    message: withSubject(request, `cancelled${who} after ${duration(ms)}${why}`),
  };
}

function errorLevel({ method }: OpenRequest, code: number | undefined): Level {
  if (code === requestCancelled) return 'info';
  // Servers before 2026-07-28 needn't know this request, and may refuse it in any way.
  if (method === 'server/discover') return code === methodNotFound ? 'debug' : 'info';
  if (method === 'ping' && code === methodNotFound) return 'debug'; // Removed in 2026-07-28.
  if (code === urlElicitationRequired) return 'notice';
  return code === unsupportedVersion || code === missingClientCapability ? 'warning' : 'error';
}

function describeToolResult(request: OpenRequest, result: unknown, took: string): ExchangeText {
  const logger = loggerOf(request);
  const fields = objectOf(result);
  const isError = fields['isError'] === true;
  const text = oneLine(
    isObject(result) ? resultText(result) : (textOf(result) ?? boundedJson(result ?? null, 1000)),
    isError ? 1000 : 300,
  );
  const message = withSubject(
    request,
    `${isError ? 'failed after' : 'done in'} ${took}${text === '' ? '' : `: ${text}`}`,
  );
  return { level: isError ? 'notice' : 'info', logger, message };
}

/** The text of a tool's result: its content, otherwise its structured content. */
function resultText(result: JsonObject): string {
  const { content, structuredContent: structured } = result;
  const text = content === undefined || content === null ? '' : contentText(content);
  return text === '' && isObject(structured) ? boundedJson(structured, 1000) : text;
}

/** The number of items that a result lists, or the whole result. */
function describeList(list: string | undefined, result: unknown): string {
  const fields = objectOf(result);
  if (list !== undefined && Array.isArray(fields[list])) {
    const more = textOf(fields['nextCursor']) === undefined ? '' : ', and more to come,';
    return `${fields[list].length} ${list}${more}`;
  }
  const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => name !== '_meta' && name !== 'resultType'));
  const isEmpty = isObject(result) && Object.keys(rest).length === 0;
  return isEmpty ? 'answered' : `answered ${boundedJson(isObject(result) ? rest : (result ?? null), 1000)}`;
}

/** Describes any notification except logs, progress and cancellations. Unknown ones are shown with their parameters. */
export function describeNotification(method: string, params: unknown): ExchangeText {
  const fields = objectOf(params);
  switch (method) {
    case 'notifications/initialized':
      return { level: 'debug', kind: 'lifecycle', message: 'told the server that we are ready' };
    case 'notifications/tools/list_changed':
    case 'notifications/prompts/list_changed':
    case 'notifications/resources/list_changed':
    case 'notifications/roots/list_changed': {
      const what = method.split('/')[1] ?? method;
      return { level: 'debug', logger: what, message: `the list of ${what} has changed` };
    }
    case 'notifications/resources/updated':
      return { level: 'info', logger: 'resources', message: `${nameOf(fields['uri'])} was updated` };
    case 'notifications/elicitation/complete':
      return { level: 'info', logger: 'elicitation', message: `${nameOf(fields['elicitationId'])} is complete` };
    case 'notifications/subscriptions/acknowledged':
      return { level: 'debug', logger: 'subscriptions', message: `acknowledged ${boundedJson(params ?? null, 500)}` };
    default:
      return { level: 'info', logger: method, message: boundedJson(params ?? null, 2000) };
  }
}

function nameOf(value: unknown): string {
  return oneLine(textOf(value) ?? '(no name)', 300);
}
