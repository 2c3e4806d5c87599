import { arrayOf, objectOf, requestIdOf } from '../../text/json';
import { deepJson, parsedJson } from '../../text/jsonText';
import type { RunLog } from '../runLog';
import type { WireEntry } from './wireRows';
import { hasId, hasMethod } from './wireRows';

/** A message and its answer as in the journal, but for secrets: JSON, or text. */
export interface WireBodies {
  readonly message?: string;
  readonly answer?: string;
}

/** The entry's message in one line of the wire, if present. */
function messageIn(line: string, entry: WireEntry): string | undefined {
  return jsonOf(parsedJson(line), (one) => isMessageOf(one, entry), line);
}

/** The entry's answer in one line of the wire, if present. */
function answerIn(line: string, entry: WireEntry): string | undefined {
  return jsonOf(parsedJson(line), (one) => isAnswerTo(one, entry), line);
}

/** What of it is still in memory. */
export function bodiesInMemory({ store }: RunLog, entry: WireEntry): WireBodies {
  const partOf = (seq: number | undefined, part: typeof messageIn): string | undefined => {
    const raw = seq === undefined ? undefined : store.raw(seq);
    return raw === undefined ? undefined : part(raw, entry);
  };
  const message = partOf(entry.seq, messageIn);
  const answer = partOf(entry.answerSeq, answerIn);
  return { ...(message !== undefined && { message }), ...(answer !== undefined && { answer }) };
}

/** The matching member of a batch, or the whole line. */
export function jsonOf(msg: unknown, passes: (message: unknown) => boolean, line: string): string | undefined {
  if (!Array.isArray(msg)) return passes(msg) ? line : undefined;
  const member = arrayOf(msg).find(passes);
  return member === undefined ? undefined : deepJson(member);
}

export function isMessageOf(value: unknown, entry: WireEntry): boolean {
  const message = objectOf(value);
  const name = message['method'] ?? message['type'];
  if (typeof name !== 'string') return false;
  const isRequest = 'method' in message && 'id' in message;
  if (entry.kind === 'request') return isRequest && hasId(entry, requestIdOf(message['id'])) && hasMethod(entry, name);
  return !isRequest && (hasMethod(entry, name) || entry.method.startsWith(`${name}/`));
}

export function isAnswerTo(value: unknown, entry: WireEntry): boolean {
  const message = objectOf(value);
  return !('method' in message) && hasId(entry, requestIdOf(message['id']));
}
