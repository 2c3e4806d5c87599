import { parsedJson } from '../../../log/jsonText';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { arrayOf, objectOf, requestIdOf } from '../../../log/json';
import { readJournalLine } from '../../../wire/journal/journalReader';
import type { WireEvent } from '../../../wire/wireEvent';
import type { WireEntry } from './wireIndex';

/** A message and its answer as in the journal: JSON, or text. */
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

const chunkBytes = 256 * 1024;
/** Maximum number of bytes to read from one file to find one message. */
const maxScan = 64 * 1024 * 1024;
/** How far a line may be out of order because the clock was set back, in milliseconds. */
const clockTolerance = 2000;
const newline = 10;

/**
 * Finds a message and its answer in a run's files by their times.
 * @param paths oldest first
 * @param rank number of similar messages before it in the same millisecond
 */
export async function readBodies(paths: readonly string[], entry: WireEntry, rank: number): Promise<WireBodies> {
  const message = await findIn(paths, messageOf(entry, rank));
  const answer = entry.answerSeq === undefined ? undefined : await findIn(paths, answerOf(entry));
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

function isMessageOf(value: unknown, { kind, method, id }: WireEntry): boolean {
  const message = objectOf(value);
  if (kind === 'request') return idOf(message['id']) === id && message['method'] === method;
  const name = message['method'] ?? message['type'];
  return typeof name === 'string' && (name === method || method.startsWith(`${name}/`));
}

function isAnswerTo(value: unknown, { id }: WireEntry): boolean {
  const message = objectOf(value);
  return !('method' in message) && idOf(message['id']) === id;
}

function idOf(value: unknown): string | undefined {
  const id = requestIdOf(value);
  return id === undefined ? undefined : String(id);
}

async function findIn(paths: readonly string[], wanted: Wanted): Promise<string | undefined> {
  for (const path of paths) {
    const file = await open(path).catch(() => undefined);
    if (!file) continue;
    try {
      const found = await findInFile(file, wanted);
      if (found !== undefined) return found;
    } finally {
      await file.close();
    }
  }
  return undefined;
}

async function findInFile(file: FileHandle, { at, match }: Wanted): Promise<string | undefined> {
  const { size } = await file.stat();
  const start = await placeOf(file, size, at - clockTolerance);
  for await (const line of linesFrom(file, start, Math.min(size, start + maxScan))) {
    const time = timeIn(line);
    if (time === undefined) continue;
    if (time > at + clockTolerance) return undefined;
    const event = time === at ? readJournalLine(line) : undefined;
    const found = event && match(event);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Finds an offset at or before the first line of the given time: lines are ordered by time. */
async function placeOf(file: FileHandle, size: number, at: number): Promise<number> {
  let [low, high] = [0, size];
  while (high - low > chunkBytes) {
    const middle = Math.floor((low + high) / 2);
    const time = await timeAfter(file, middle, high);
    if (time !== undefined && time < at) low = middle;
    else high = middle;
  }
  return low;
}

/** The time of the first whole line after an offset. */
async function timeAfter(file: FileHandle, place: number, end: number): Promise<number | undefined> {
  let isFirst = place > 0; // the rest of a line
  for await (const line of linesFrom(file, place, end)) {
    const time = isFirst ? undefined : timeIn(line);
    isFirst = false;
    if (time !== undefined) return time;
  }
  return undefined;
}

function timeIn(line: string): number | undefined {
  const [, text = ''] = /^\{"t":"([^"]{1,40})"/.exec(line) ?? [];
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

async function* linesFrom(file: FileHandle, start: number, end: number): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  for (let place = start; place < end;) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, place);
    if (bytesRead === 0) break;
    place += bytesRead;
    let from = 0;
    for (let to = buffer.indexOf(newline); to >= 0 && to < bytesRead; to = buffer.indexOf(newline, from)) {
      yield Buffer.concat([...rest, buffer.subarray(from, to)]).toString();
      rest = [];
      from = to + 1;
    }
    rest.push(buffer.subarray(from, bytesRead));
  }
  const last = Buffer.concat(rest).toString();
  if (last !== '') yield last;
}
