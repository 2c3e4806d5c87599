import { boundedJson } from '../../text/boundedJson';
import { duration, oneLine } from '../../text/text';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import { errorExchange, withSubject } from '../jsonrpc/exchangeText';
import { isObject, objectOf, textOf, arrayOf } from '../../text/json';
import { requestCancelled } from '../../work/errorCodes';
import type { OpenRequest } from '../../work/requests';
import type { RpcError } from '../../work/rpcError';
import { subjectOfParams } from './subject';

/** `LSPErrorCodes` (LSP 3.18 "Response Message") for a response that is no longer wanted. Not a failure. */
const contentModified = -32801;
const serverCancelled = -32802;
/** The request was valid but can't be fulfilled, such as a rename with nothing to rename. Not a fault of the server. */
const requestFailed = -32803;
const notWanted: ReadonlySet<number | undefined> = new Set([requestCancelled, contentModified, serverCancelled]);

/** Describes the server's response to one of our requests. @param isAudible false if many clients can't read it */
export function describeResult(request: OpenRequest, result: unknown, ms: number, isAudible: boolean): ExchangeText {
  const took = duration(ms);
  switch (request.method) {
    case 'initialize': {
      const what = isAudible ? 'initialized in' : 'answered initialize in';
      return { level: 'info', kind: 'lifecycle', message: `${what} ${took}: ${serverText(result)}` };
    }
    case 'shutdown':
      return { level: 'debug', kind: 'lifecycle', message: `is ready to end (answered in ${took})` };
    default:
      return { level: 'debug', logger: request.method, message: withSubject(request, `${amount(result)} in ${took}`) };
  }
}

/** Describes the server's error response to one of our requests. */
export function describeError(request: OpenRequest, error: RpcError, ms: number): ExchangeText {
  const isFault = !notWanted.has(error.code);
  const what = withSubject(request, `${isFault ? 'failed' : 'cancelled'} after ${duration(ms)}`);
  return errorExchange(isFault && error.code !== requestFailed ? 'error' : 'info', request.method, what, error);
}

/** Describes our error response to a server's request. Not a failure: we didn't declare the capability. */
export function describeRefusal({ method }: OpenRequest, error: RpcError, ms: number): ExchangeText {
  const how = notWanted.has(error.code) ? 'cancelled' : 'refused';
  return errorExchange('info', method, `${how} after ${duration(ms)}`, error);
}

function serverText(result: unknown): string {
  const { serverInfo, capabilities } = objectOf(result);
  const { name, version } = objectOf(serverInfo);
  const called = textOf(name);
  const server = called === undefined ? [] : [oneLine([called, textOf(version) ?? ''].join(' '), 140)];
  const names = Object.keys(objectOf(capabilities)).slice(0, 60);
  const offers = names.length === 0 ? 'offers nothing' : `offers ${oneLine(names.join(', '), 300)}`;
  return [...server, offers].join(', ');
}

function amount(result: unknown): string {
  if (result === null || result === undefined) return 'nothing';
  if (Array.isArray(result)) return `${result.length} ${result.length === 1 ? 'item' : 'items'}`;
  const { items } = objectOf(result);
  if (Array.isArray(items)) return `${items.length} ${items.length === 1 ? 'item' : 'items'}`;
  return isObject(result) && Object.keys(result).length === 0 ? 'answered' : `answered ${boundedJson(result, 500)}`;
}

/** Describes a notification that isn't a log, a status, progress or a cancellation. Shows unknown ones as JSON. */
export function describeNotification(method: string, params: unknown): ExchangeText {
  const fields = objectOf(params);
  switch (method) {
    case 'initialized':
      return { level: 'debug', kind: 'lifecycle', message: 'told the server that we are ready' };
    case 'exit':
      return { level: 'debug', kind: 'lifecycle', message: 'asked to end' };
    case '$/setTrace':
      return {
        level: 'debug',
        logger: 'trace',
        message: `asked for: ${oneLine(textOf(fields['value']) ?? '(none)', 40)}`,
      };
    case 'workspace/didChangeConfiguration': {
      // Names only: the values may contain secrets.
      const names = oneLine(Object.keys(objectOf(fields['settings'])).slice(0, 30).join(', '), 200);
      return { level: 'debug', logger: method, message: `settings: ${names || 'none'}` };
    }
    case 'textDocument/publishDiagnostics': {
      const { length } = arrayOf(fields['diagnostics']);
      return { level: 'debug', logger: method, message: `${subjectOfParams(params) ?? '(no document)'}: ${length}` };
    }
  }
  // Never log the text of a document.
  if (/^(?:textDocument|notebookDocument)\//.test(method)) {
    return { level: 'debug', logger: method, message: subjectOfParams(params) ?? '(no document)' };
  }
  const isEmpty = params === undefined || params === null || (isObject(params) && Object.keys(params).length === 0);
  // Tells a client to ask again: `mcpGateway/serversChanged` of GitHub Copilot.
  const isSignal = isEmpty || /Changed$/.test(method);
  return { level: isSignal ? 'debug' : 'info', logger: method, message: boundedJson(params ?? null, 2000) };
}
