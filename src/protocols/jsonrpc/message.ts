import { boundedJson } from '../../text/boundedJson';
import type { RecordDraft } from '../../text/record';
import { oneLine } from '../../text/text';
import type { WireMessage } from '../../wire/wireEvent';
import { describeTooLong } from '../eventReader';
import type { JunkFact } from '../../work/facts';
import type { JsonObject, RequestId } from '../../text/json';
import { isObject, methodOf, requestIdOf } from '../../text/json';
import type { RpcError } from '../../work/rpcError';

/** What a line of JSON-RPC 2.0 holds. */
export type JsonRpcMessage =
  | {
      readonly type: 'request';
      readonly id: RequestId;
      readonly method: string;
      readonly params: unknown;
      readonly fields: JsonObject;
    }
  | { readonly type: 'notification'; readonly method: string; readonly params: unknown; readonly fields: JsonObject }
  /** `id` as received: an error may have none. */
  | { readonly type: 'response'; readonly id: unknown; readonly fields: JsonObject }
  /** Not a JSON-RPC message. `why` is absent for an empty batch. */
  | { readonly type: 'junk'; readonly message: string; readonly why?: JunkFact['why'] };

/**
 * Reads a line that isn't a batch, or a message of a batch.
 * @param expected what the protocol has for a message, for the words
 */
export function readJsonRpc(event: WireMessage, expected: string): JsonRpcMessage {
  if (event.bytes !== undefined && event.msg === undefined) {
    return { type: 'junk', why: 'too-long', message: describeTooLong(event) };
  }
  if (event.msg === undefined) {
    return { type: 'junk', why: 'not-json', message: `not JSON, where ${expected}: ${event.line}` };
  }
  return readMessage(event.msg);
}

function readMessage(msg: unknown): JsonRpcMessage {
  if (isObject(msg)) {
    const method = methodOf(msg['method']);
    const id = requestIdOf(msg['id']);
    const { params } = msg;
    if (method !== undefined) {
      return id === undefined
        ? { type: 'notification', method, params, fields: msg }
        : { type: 'request', id, method, params, fields: msg };
    }
    if ('result' in msg || 'error' in msg || 'id' in msg) return { type: 'response', id: msg['id'], fields: msg };
  }
  const message = `not a JSON-RPC message: ${boundedJson(msg, 2000)}`;
  return Array.isArray(msg) ? { type: 'junk', message } : { type: 'junk', why: 'no-message', message };
}

/** A response to no open request. */
export interface StrayResponse {
  /** As received: an error may have none. */
  readonly id: unknown;
  readonly error: RpcError | undefined;
}

export function describeStray({ id, error }: StrayResponse): string {
  const what = error ? `an error (${oneLine(error.message, 300)})` : 'an answer';
  return `${what} to no open request (id ${boundedJson(id ?? null, 60)})`;
}

/** What crossed though the protocol has no place for it: kept, and said to be so. */
export function junkRecord(event: WireMessage, message: string): RecordDraft {
  return {
    receivedAt: event.t,
    level: event.dir === 'a2c' ? 'warning' : 'info',
    kind: 'activity',
    logger: event.dir === 'a2c' ? 'stdout' : 'stdin',
    content: 'output',
    message,
    raw: event.line,
  };
}
