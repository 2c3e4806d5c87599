import { oneLine } from '../../text/text';
import type { JsonObject, RequestId } from '../../text/json';
import { isObject, objectOf, requestIdOf, textOf } from '../../text/json';
import type { ToolProgress } from '../connection/agentClient';
import { acceptable } from './mcpAnswers';

/** One of our requests that has no response yet. */
export interface McpCall {
  readonly method: string;
  /** Sent as `_meta.progressToken`, which identifies the outgoing request and its progress. */
  readonly token: string;
  id?: RequestId;
  /** The latest result, unchanged. */
  result?: JsonObject;
  readonly abort: AbortController;
  readonly onProgress?: (progress: ToolProgress) => void;
  /** The server's reason for cancelling it; empty if it gave none. */
  cancelledByServer?: string;
}

export const cancelReason = 'cancelled by the user';

/** JSON-RPC error code for a cancelled request (LSP, ACP). */
const requestCancelled = -32800;

/**
 * Our open requests. Also filters what reaches the MCP library, because its validators cost more than everything else we do with a
 * message: it gets no notifications. Logs are read off the wire, and progress is reported from here.
 */
export class McpCalls {
  private readonly calls = new Map<string, McpCall>();
  /** The library's own requests: the latest ID of each method. */
  private readonly others = new Map<string, RequestId>();
  private count = 0;
  /** The response to `initialize`, unchanged; the library rejects those of other protocols. */
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

  /** All open requests, oldest first. */
  get all(): readonly McpCall[] {
    return [...this.calls.values()];
  }

  find(id: RequestId): McpCall | undefined {
    return this.all.find((call) => call.id === id);
  }

  /** Whether a caller may still be waiting for the response. */
  awaits(id: RequestId): boolean {
    return this.find(id) !== undefined || [...this.others.values()].includes(id);
  }

  /** Stores the ID of a request that is about to be sent. */
  sending(message: unknown): void {
    const { id, method, params } = objectOf(message);
    const call = this.calls.get(String(objectOf(objectOf(params)['_meta'])['progressToken']));
    const requestId = requestIdOf(id);
    if (typeof method !== 'string' || requestId === undefined) return;
    if (call) call.id = requestId;
    else this.others.set(method, requestId);
  }

  /**
   * Converts a request or response to the form that the library accepts; otherwise the caller would wait forever. Returns `undefined` if it isn't a
   * message.
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

  /** Returns what the library has to see of a notification, usually nothing. */
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

  /** A server that cancels a request won't respond to it, so this error is the response for the library. */
  private cancelled({ requestId, reason }: JsonObject): JsonObject | undefined {
    const id = requestIdOf(requestId);
    const call = id === undefined ? undefined : this.find(id);
    if (!call || id === undefined) return undefined;
    call.cancelledByServer = oneLine(textOf(reason) ?? '', 300);
    return { jsonrpc: '2.0', id, error: { code: requestCancelled, message: 'cancelled by the server' } };
  }
}

/** Rebuilds a message as valid JSON-RPC. */
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
  // A response without a result is still a response.
  return { jsonrpc, id: requestId, result: isObject(result) ? result : {} };
}
