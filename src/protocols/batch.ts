import { boundedJson } from '../log/boundedJson';
import { jsonText } from '../log/jsonText';
import type { WireMessage } from '../wire/wireEvent';

/** Maximum number of messages to read from one batch. */
const maxMessages = 1000;

/** The messages in a batch (JSON-RPC 2.0 section 6). */
export interface Batch {
  /** Each message gets its own line; sharing the whole line would multiply its size by the number of messages. */
  readonly messages: readonly WireMessage[];
  /** Number of messages that were skipped. */
  readonly left: number;
}

/** `undefined` if the line isn't a batch. */
export function batchOf(event: WireMessage): Batch | undefined {
  const { t, dir, msg, bytes } = event;
  if (!Array.isArray(msg)) return undefined;
  const messages = msg.slice(0, maxMessages).map((one: unknown): WireMessage => ({
    t,
    dir,
    bytes,
    line: jsonText(one) ?? boundedJson(one),
    msg: one,
  }));
  return { messages, left: msg.length - messages.length };
}

export function describeLeft(left: number): string {
  return `${left} more ${left === 1 ? 'message' : 'messages'} in this batch: only the first ${maxMessages} are read`;
}
