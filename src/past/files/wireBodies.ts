import type { WireEvent } from '../../wire/wireEvent';
import type { RunFiles } from './runLines';
import { linesAt, linesOf } from './runLines';
import type { WireBodies } from '../../runLog/wire/wireBodies';
import { isAnswerTo, isMessageOf, jsonOf } from '../../runLog/wire/wireBodies';
import type { WireEntry } from '../../runLog/wire/wireRows';
import { Slices } from '../../time/slices';

/** Number of entries to look at between two looks at the time. */
const entriesAtOnce = 64;

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

/**
 * The same for many entries, in wire order, by reading the files once. By row.
 * @param isOver whether to stop
 */
export async function readAllBodies(
  run: RunFiles,
  entries: readonly WireEntry[],
  isOver: () => boolean = () => false,
): Promise<ReadonlyMap<number, WireBodies>> {
  const found = new Map<number, WireBodies>();
  const open = new Map<number, ((event: WireEvent) => boolean)[]>();
  const want = (row: number, part: keyof WireBodies, { at, match }: Wanted): void => {
    const others = open.get(at) ?? [];
    open.set(at, others);
    others.push((event) => {
      const text = match(event);
      if (text !== undefined) found.set(row, { ...found.get(row), [part]: text });
      return text !== undefined;
    });
  };
  const slices = new Slices();
  for (const [index, entry] of entries.entries()) {
    if (index % entriesAtOnce === 0 && slices.isSpent) await slices.next();
    want(entry.row, 'message', messageOf(entry, 0)); // Each line is taken once, so twins need no ranks.
    if (entry.answerSeq !== undefined) want(entry.row, 'answer', answerOf(entry));
  }
  for await (const line of linesOf(run)) {
    if (isOver()) break;
    const wanted = line.type === 'event' ? open.get(line.event.t) : undefined;
    if (!wanted || line.type !== 'event') continue;
    const { event } = line;
    const isBatch = isOnWire(event) && Array.isArray(event.msg);
    for (let index = 0; index < wanted.length;) {
      if (wanted[index]?.(event) !== true) index++;
      else {
        wanted.splice(index, 1);
        if (!isBatch) break;
      }
    }
  }
  return found;
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

async function findIn(run: RunFiles, { at, match }: Wanted): Promise<string | undefined> {
  for await (const line of linesAt(run, at)) {
    const found = line.type === 'event' && line.event.t === at ? match(line.event) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
