import { boundedJson } from '../log/boundedJson';
import { jsonText } from '../log/jsonText';
import type { WireMessage } from '../wire/wireEvent';

/** Messages of one batch beyond this number are not read. */
const maxMessages = 1000;

/** What a line with a batch holds (JSON-RPC 2.0 section 6). */
export interface Batch {
  /** Each with a line made for it: with the whole line, their records would take up its length times their number. */
  readonly messages: readonly WireMessage[];
  /** How many messages are not read. */
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
