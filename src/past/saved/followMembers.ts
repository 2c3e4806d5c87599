import { SavedClock } from '../../agents/reading/saved/savedTime';
import { jsonValueOf } from '../../wire/jsonValue';
import type { Line } from '../../text/bytes/line';
import type { LogReader } from '../../runLog/reading/logReader';
import { Slices } from '../../time/slices';
import type { LineSource } from './lineSource';
import type { SavedSource } from '../files/fileRunInfo';
import type { Following } from '../files/followFile';

/** Number of lines between checks for cancellation, and of characters in them. */
const linesAtOnce = 500;
const charactersAtOnce = 1024 * 1024;
/** Looking for new members takes at most this fraction of the time: one in twenty. */
const share = 20;

export interface MemberEvents {
  /** True if the agent may continue; otherwise, open turns and tools stopped here. Default: if it's running. */
  readonly isRunning?: () => boolean;
  /** Called when all lines there are were read, before what they leave unfinished is reported. */
  readonly onLinesEnd?: () => void;
  /** Called if a file was replaced or rewritten. All lines follow again, from new readers. */
  readonly onRestart?: () => void;
  /** Called with the number of lines that couldn't be read. */
  readonly onUnreadable?: (lines: number) => void;
  /** Called if a subagent's lines can't be read. */
  readonly onProblem?: (error: unknown) => void;
}

interface MembersReading extends Following, MemberEvents {
  readonly session: Pick<SavedSource, 'members' | 'isRunning'>;
  readonly newReader: () => MemberReader;
  /** Time of lines without a timestamp, in milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** Receives the lines of one member of a session. */
export type MemberReader = Pick<LogReader, 'line' | 'recognise' | 'quiet' | 'pause' | 'complete'>;

interface TimedLine {
  readonly line: Line;
  readonly t: number;
}

/**
 * Reads the lines of a session and of its subagents, in order of time, then follows them.
 * @throws if the session itself can't be read
 */
export async function followMembers(reading: MembersReading): Promise<void> {
  const { signal, follows, onSlice, session, modifiedAt, isRunning = () => session.isRunning } = reading;
  const open = new Map<string, OpenMember>();
  /** When to look for new members again, in milliseconds. */
  let nextLook = 0;
  const look = async (): Promise<void> => {
    const begun = performance.now();
    if (begun < nextLook) return;
    await openNew(reading, open);
    const now = performance.now();
    nextLook = now + (now - begun) * share;
  };
  try {
    await look();
    while (signal?.aborted !== true) {
      if (await feed(reading, [...open.values()])) {
        await onSlice?.({ bytesRead: bytesOf(open), atEnd: false });
        continue;
      }
      reading.onLinesEnd?.();
      for (const { reader } of open.values()) {
        if (isRunning()) reader.pause();
        else reader.complete();
      }
      if (follows?.() !== true) break;
      await onSlice?.({ bytesRead: bytesOf(open), atEnd: true });
      const isRestarted = await change(reading, open);
      if (isRestarted) nextLook = 0;
      await look();
    }
  } finally {
    for (const member of open.values()) {
      await member.close(modifiedAt, isRunning());
      reading.onUnreadable?.(member.unreadable);
    }
  }
}

async function openNew(reading: MembersReading, open: Map<string, OpenMember>): Promise<void> {
  const isFirst = open.size === 0;
  for (const [index, member] of (await reading.session.members()).entries()) {
    if (open.has(member.key) || reading.signal?.aborted === true) continue;
    try {
      open.set(member.key, new OpenMember(await member.open(), reading.newReader()));
    } catch (error) {
      if (isFirst && index === 0) throw error;
      reading.onProblem?.(error);
    }
  }
}

/** Passes on some lines, earliest first, and lets other work run in between. Returns whether there were any. */
async function feed({ modifiedAt }: MembersReading, members: readonly OpenMember[]): Promise<boolean> {
  const isAlone = members.length === 1;
  const slices = new Slices();
  let count = 0;
  let size = 0;
  const isFull = (): boolean => count >= linesAtOnce || size >= charactersAtOnce;
  while (!isFull()) {
    for (const member of members) await member.fill(isAlone);
    const [next, other] = members.filter(({ isEmpty }) => !isEmpty).sort((a, b) => a.nextAt - b.nextAt);
    if (!next) break;
    do {
      size += next.pass(modifiedAt);
      count++;
      if (slices.isSpent) await slices.next();
    } while (!next.isEmpty && !isFull() && (!other || next.nextAt <= other.nextAt));
  }
  return count > 0;
}

/** Waits until one of them changes, or for some seconds. Returns whether all have to be opened again. */
async function change(reading: MembersReading, open: Map<string, OpenMember>): Promise<boolean> {
  const one = new AbortController();
  const signal = AbortSignal.any([one.signal, ...(reading.signal ? [reading.signal] : [])]);
  const waits = [...open.values()].map(async (member) => {
    const isRestarted = await member.wait(signal);
    one.abort();
    return isRestarted;
  });
  const isRestarted = (await Promise.all(waits)).includes(true);
  if (reading.signal?.aborted === true) return false;
  if (isRestarted) {
    for (const member of open.values()) await member.drop();
    open.clear();
    reading.onRestart?.();
  }
  const now = Date.now();
  for (const member of open.values()) member.resume(now);
  return isRestarted;
}

function bytesOf(open: ReadonlyMap<string, OpenMember>): number {
  return [...open.values()].reduce((sum, { size }) => sum + size, 0);
}

class OpenMember {
  private queue: TimedLine[] = [];
  private at = 0;
  private isAtEnd = false;
  private clock: SavedClock | undefined;

  constructor(
    private readonly source: LineSource,
    readonly reader: MemberReader,
  ) {}

  get size(): number {
    return this.source.size;
  }

  get unreadable(): number {
    return this.source.unreadable ?? 0;
  }

  get isEmpty(): boolean {
    return this.at >= this.queue.length;
  }

  get nextAt(): number {
    return this.queue[this.at]?.t ?? Infinity;
  }

  /** @param isAlone no other member's lines come between: their times don't matter */
  async fill(isAlone: boolean): Promise<void> {
    while (this.isEmpty && !this.isAtEnd) {
      const lines = await this.source.read();
      this.isAtEnd = lines === undefined;
      this.queue = isAlone && this.clock ? (lines ?? []).map((line) => ({ line, t: 0 })) : this.timed(lines ?? []);
      this.at = 0;
    }
  }

  /** Returns the length of the line. */
  pass(now: number): number {
    const next = this.queue[this.at++];
    if (!next) return 0;
    this.reader.line(next.line, next.t > 0 ? next.t : (this.source.modifiedAt ?? now));
    // The format is known, so no line has to wait for others.
    this.reader.recognise();
    return next.line.text.length;
  }

  /** Returns whether the file starts over. */
  async wait(signal: AbortSignal): Promise<boolean> {
    return (await this.source.wait(signal)) === 'restarted';
  }

  /** Closes it without reporting what is unfinished. */
  async drop(): Promise<void> {
    await this.source.close();
  }

  resume(now: number): void {
    this.isAtEnd = false;
    this.reader.quiet(now);
  }

  /** @param goesOn true if open turns and tools may still end */
  async close(now: number, goesOn: boolean): Promise<void> {
    const last = await this.source.close();
    if (last) this.reader.line(last, now);
    if (goesOn) this.reader.pause();
    else this.reader.complete();
  }

  /** Adds times; a line without one gets that of the previous line. */
  private timed(lines: readonly Line[]): TimedLine[] {
    const values = lines.map(({ text, bytes }) => (bytes === undefined ? jsonValueOf(text).msg : undefined));
    this.clock ??= new SavedClock(values);
    const { clock } = this;
    return lines.map((line, index) => ({ line, t: clock.timeOf(values[index]) ?? 0 }));
  }
}
