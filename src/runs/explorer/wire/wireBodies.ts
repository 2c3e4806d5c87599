import { parsedJson } from '../../../log/jsonText';
import { arrayOf, objectOf, requestIdOf } from '../../../log/json';
import type { WireEvent } from '../../../wire/wireEvent';
import type { RunFiles } from '../../files/runLines';
import { linesAt } from '../../files/runLines';
import type { WireEntry } from './wireIndex';
import { hasId, hasMethod } from './wireIndex';

/** A message and its answer as in the journal, but for secrets: JSON, or text. */
export interface WireBodies {
  readonly message?: string;
  readonly answer?: string;
}

/** An event to find in the journal. */
interface Wanted {
  readonly at: number;
  /** @returns the matching JSON or text */
  readonly match: (event: WireEvent) => string | undefined;
}

/**
 * Finds a message and its answer in a run's files by their times.
 * @param rank number of similar messages before it in the same millisecond
 */
export async function readBodies(run: RunFiles, entry: WireEntry, rank: number): Promise<WireBodies> {
  const message = await findIn(run, messageOf(entry, rank));
  const answer = entry.answerSeq === undefined ? undefined : await findIn(run, answerOf(entry));
  return { ...(message !== undefined && { message }), ...(answer !== undefined && { answer }) };
}

/** The entry's message in one line of the wire, if present. */
export function messageIn(line: string, entry: WireEntry): string | undefined {
  return jsonOf(parsedJson(line), (one) => isMessageOf(one, entry), line);
}

/** The entry's answer in one line of the wire, if present. */
export function answerIn(line: string, entry: WireEntry): string | undefined {
  return jsonOf(parsedJson(line), (one) => isAnswerTo(one, entry), line);
}

function messageOf(entry: WireEntry, rank: number): Wanted {
  let left = rank;
  return {
    at: entry.at,
    match: (event) => {
      if (entry.kind === 'http') return event.dir === 'ev' && event.ev === 'http' ? JSON.stringify(event) : undefined;
      if (!isOnWire(event) || event.dir !== (entry.direction === 'out' ? 'c2a' : 'a2c')) return undefined;
      const found = jsonOf(event.msg, (one) => isMessageOf(one, entry), event.line);
      const isTwin = found !== undefined && entry.kind === 'notification' && left-- > 0;
      return isTwin ? undefined : found;
    },
  };
}

function answerOf(entry: WireEntry): Wanted {
  return {
    at: entry.at + (entry.took ?? 0),
    match: (event) =>
      isOnWire(event) && event.dir === (entry.direction === 'out' ? 'a2c' : 'c2a')
        ? jsonOf(event.msg, (one) => isAnswerTo(one, entry), event.line)
        : undefined,
  };
}

function isOnWire(event: WireEvent): event is Extract<WireEvent, { dir: 'a2c' | 'c2a' }> {
  return event.dir === 'a2c' || event.dir === 'c2a';
}

/** The matching member of a batch, or the whole line. */
function jsonOf(msg: unknown, passes: (message: unknown) => boolean, line: string): string | undefined {
  if (!Array.isArray(msg)) return passes(msg) ? line : undefined;
  const member = arrayOf(msg).find(passes);
  return member === undefined ? undefined : JSON.stringify(member);
}

function isMessageOf(value: unknown, entry: WireEntry): boolean {
  const message = objectOf(value);
  const name = message['method'] ?? message['type'];
  if (typeof name !== 'string') return false;
  const isRequest = 'method' in message && 'id' in message;
  if (entry.kind === 'request') return isRequest && hasId(entry, requestIdOf(message['id'])) && hasMethod(entry, name);
  return !isRequest && (hasMethod(entry, name) || entry.method.startsWith(`${name}/`));
}

function isAnswerTo(value: unknown, entry: WireEntry): boolean {
  const message = objectOf(value);
  return !('method' in message) && hasId(entry, requestIdOf(message['id']));
}

async function findIn(run: RunFiles, { at, match }: Wanted): Promise<string | undefined> {
  for await (const line of linesAt(run, at)) {
    const found = line.type === 'event' && line.event.t === at ? match(line.event) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
