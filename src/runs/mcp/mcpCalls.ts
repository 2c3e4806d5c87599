import { oneLine } from '../../log/text';
import type { JsonObject, RequestId } from '../../protocols/json';
import { isObject, objectOf, requestIdOf, textOf } from '../../protocols/json';
import type { ToolProgress } from '../connection/agentClient';
import { acceptable } from './mcpAnswers';

/** A request of ours that waits for its answer. */
export interface McpCall {
  readonly method: string;
  /** Sent as `_meta.progressToken`: by it we know the request when it goes out, and its progress when that comes. */
  readonly token: string;
  /** Known as soon as it was sent. */
  id?: RequestId;
  /** The last result that came for it, as it came. */
  result?: JsonObject;
  readonly abort: AbortController;
  readonly onProgress?: (progress: ToolProgress) => void;
  /** Why the server gave it up, as far as it says. */
  cancelledByServer?: string;
}

/** What a server is told with a request of ours that is cancelled. */
export const cancelReason = 'cancelled by the user';

/** What JSON-RPC implementations say of a request that was cancelled (LSP, ACP). */
const requestCancelled = -32800;

/**
 * Our requests under way. It also is the sieve before the MCP library, whose validators cost more than everything else we do with a
 * message: of what the server says unasked, the library gets nothing. Logs are read off the wire, progress is told from here.
 */
export class McpCalls {
  private readonly calls = new Map<string, McpCall>();
  /** What the library asks by itself: the last request of each method. */
  private readonly others = new Map<string, RequestId>();
  private count = 0;
  /** The answer to `initialize`, as it came: the library would take none of another protocol. */
  greeting: JsonObject | undefined;

  open(method: string, onProgress?: (progress: ToolProgress) => void): McpCall {
    const token = `agent-logs-${++this.count}`;
    const call: McpCall = { method, token, abort: new AbortController(), ...(onProgress && { onProgress }) };
    this.calls.set(token, call);
    return call;
  }

  close(call: McpCall): void {
    this.calls.delete(call.token);
  }

  /** All that are open, oldest first. */
  get all(): readonly McpCall[] {
    return [...this.calls.values()];
  }

  find(id: RequestId): McpCall | undefined {
    return this.all.find((call) => call.id === id);
  }

  /** Whether an answer to a request still matters to somebody, as far as we can tell. */
  awaits(id: RequestId): boolean {
    return this.find(id) !== undefined || [...this.others.values()].includes(id);
  }

  /** A message is about to be sent: which request got which id. */
  sending(message: unknown): void {
    const { id, method, params } = objectOf(message);
    const call = this.calls.get(String(metaOf(params)['progressToken']));
    const requestId = requestIdOf(id);
    if (typeof method !== 'string' || requestId === undefined) return;
    if (call) call.id = requestId;
    else this.others.set(method, requestId);
  }

  /**
   * A request or an answer as the library takes it: others it would leave unanswered, or refuse for a detail, and whoever waits for them
   * waiting. `undefined` for what is no message.
   */
  received(message: JsonObject): JsonObject | undefined {
    const strict = strictMessage(message);
    const id = requestIdOf(strict?.['id']);
    const result = strict?.['result'];
    if (id === undefined || !isObject(result)) return strict;
    const call = this.find(id);
    if (call) call.result = result;
    const method = call?.method ?? [...this.others].find(([, asked]) => asked === id)?.[0];
    if (method === 'initialize') this.greeting = result;
    return method === undefined ? strict : { ...strict, result: acceptable(method, result) };
  }

  /** What the library has to know of a notification; mostly nothing. */
  notified(method: string, params: unknown): JsonObject | undefined {
    if (method === 'notifications/progress') this.progress(objectOf(params));
    return method === 'notifications/cancelled' ? this.cancelled(objectOf(params)) : undefined;
  }

  private progress(params: JsonObject): void {
    const { progressToken, progress, total, message } = params;
    if (typeof progressToken !== 'string' || typeof progress !== 'number') return;
    const text = textOf(message);
    this.calls.get(progressToken)?.onProgress?.({
      progress,
      ...(typeof total === 'number' && { total }),
      ...(text !== undefined && { message: oneLine(text, 200) }),
    });
  }

  /** A server that gives our request up answers it no more: for the library, this is the answer. */
  private cancelled({ requestId, reason }: JsonObject): JsonObject | undefined {
    const id = requestIdOf(requestId);
    const call = id === undefined ? undefined : this.find(id);
    if (!call || id === undefined) return undefined;
    call.cancelledByServer = oneLine(textOf(reason) ?? '', 300);
    return { jsonrpc: '2.0', id, error: { code: requestCancelled, message: 'cancelled by the server' } };
  }
}

function metaOf(params: unknown): JsonObject {
  const meta = objectOf(params)['_meta'];
  return isObject(meta) ? meta : {};
}

/** The envelope of a message in the exact form of JSON-RPC. */
function strictMessage(message: JsonObject): JsonObject | undefined {
  const { id, method, params, result, error } = message;
  const jsonrpc = '2.0';
  const requestId = typeof id === 'number' && !Number.isSafeInteger(id) ? undefined : requestIdOf(id);
  if (typeof method === 'string') {
    return {
      jsonrpc,
      ...(requestId !== undefined && { id: requestId }),
      method,
      ...(isObject(params) && { params }),
    };
  }
  if (requestId === undefined) return undefined;
  if (isObject(error)) {
    const { code, message: text, data } = error;
    return {
      jsonrpc,
      id: requestId,
      error: {
        code: Number.isSafeInteger(code) ? code : -32603,
        message: String(text),
        ...(data !== undefined && { data }),
      },
    };
  }
  // An empty answer is an answer.
  return { jsonrpc, id: requestId, result: isObject(result) ? result : {} };
}
