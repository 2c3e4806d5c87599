import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { withFileLock } from '../../machine/fileLock';
import { makeFolder } from '../../machine/makeFolder';
import type { IsStillAlive } from '../../machine/processAlive';
import { readWhole, replaceFile } from '../../machine/wholeFile';
import { HumanError, messageOf } from '../../text/humanError';
import { numberOf, objectOf, textOf } from '../../text/json';
import { parsedJson } from '../../text/jsonText';
import { t, verbatim } from '../../text/translator';
import { SendingStopped } from './sendingStopped';

/** How far a run was sent. */
export interface SentPosition {
  /** The last of the records that its lines made and that were sent. */
  readonly records: number;
  /** How many records were sent of those that the end of its lines made: of what was unfinished at `stamp`. */
  readonly more: number;
  /** The numbers of the spans that were sent, as `SpanNumbers` writes them. */
  readonly spans: string;
  /** Last change and size of its files when it was read. */
  readonly stamp: string;
  /** Whether all of it was sent. */
  readonly isDone: boolean;
}

/** Of the runs that were sent last. */
const maxRuns = 200_000;
const maxOwner = 1000;
const header = '{"agentLogsSent":1}';

export interface SentMemoryOptions {
  /** A folder of the user's state; created if it is missing. */
  readonly folder: string;
  /** Where the runs are sent to: each collector has a memory of its own. */
  readonly url: string;
  readonly isAlive: IsStillAlive;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Forget what was sent. */
  readonly again: boolean;
}

/**
 * Remembers what a collector has accepted, in a file with a line for each change: a process that is killed loses none of them. The file is
 * rewritten as a whole when it is opened. One process at a time has it.
 */
export class SentMemory {
  private constructor(
    private readonly positions: Map<string, SentPosition>,
    private readonly file: FileHandle,
    private readonly owner: string,
  ) {}

  /** @throws HumanError if another process has it, or the file can't be written */
  static async open({ folder, url, isAlive, now, again }: SentMemoryOptions): Promise<SentMemory> {
    const { origin, pathname } = new URL(url);
    const name = createHash('sha256').update(`${origin}${pathname}`).digest('hex').slice(0, 16);
    const path = join(folder, `${name}.ndjson`);
    const owner = join(folder, `${name}.pid`);
    try {
      await makeFolder(dirname(path));
      await own(owner, isAlive, now());
      const positions = again ? new Map<string, SentPosition>() : await read(path);
      await replaceFile(path, (temporary) => write(temporary, positions));
      return new SentMemory(positions, await open(path, 'a', 0o600), owner);
    } catch (error) {
      if (error instanceof HumanError) throw error;
      throw unwritable(error);
    }
  }

  get(run: string): SentPosition | undefined {
    return this.positions.get(run);
  }

  /** @throws SendingStopped if the file can't be written: what is sent without being remembered is sent twice */
  async set(changed: ReadonlyMap<string, SentPosition>): Promise<void> {
    for (const [run, position] of changed) this.positions.set(run, position);
    try {
      await this.file.appendFile([...changed].map(lineOf).join(''));
    } catch (error) {
      throw new SendingStopped(unwritable(error).words);
    }
  }

  /** Lets other processes have it. */
  async close(): Promise<void> {
    await this.file.close();
    await rm(this.owner, { force: true });
  }
}

/** Writes who has it, unless that process still runs. */
async function own(path: string, isAlive: IsStillAlive, now: number): Promise<void> {
  await withFileLock(`${path}.lock`, async () => {
    const { pid, at, host } = objectOf(parsedJson((await readWhole(path, maxOwner)) ?? ''));
    const saved = { pid: numberOf(pid), at: numberOf(at), host: textOf(host) };
    if (saved.pid !== undefined && saved.at !== undefined) {
      if (await isAlive({ pid: saved.pid, at: saved.at, host: saved.host })) {
        throw new HumanError(t('Another export to this collector is running (process {0}).', String(saved.pid)));
      }
    }
    await writeFile(path, JSON.stringify({ pid: process.pid, at: now, host: hostname() }), { mode: 0o600 });
  });
}

/** A line that isn't complete, or from a later version, is skipped. */
async function read(path: string): Promise<Map<string, SentPosition>> {
  const positions = new Map<string, SentPosition>();
  const lines = createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Infinity });
  try {
    for await (const line of lines) {
      const { run, records, more, spans, stamp, done } = objectOf(parsedJson(line));
      if (typeof run !== 'string' || typeof records !== 'number') continue;
      positions.delete(run); // The newest is the last.
      positions.set(run, {
        records,
        more: numberOf(more) ?? 0,
        spans: textOf(spans) ?? '',
        stamp: textOf(stamp) ?? '',
        isDone: done === true,
      });
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return positions;
}

async function write(path: string, positions: ReadonlyMap<string, SentPosition>): Promise<void> {
  const newest = [...positions].slice(-maxRuns);
  await writeFile(path, `${header}\n${newest.map(lineOf).join('')}`, { mode: 0o600 });
}

function lineOf([run, { records, more, spans, stamp, isDone }]: readonly [string, SentPosition]): string {
  const line = { run, records, ...(more > 0 && { more }), ...(spans !== '' && { spans }), stamp, done: isDone };
  return `${JSON.stringify(line)}\n`;
}

function unwritable(error: unknown): HumanError {
  return new HumanError(t("What was sent can't be remembered: {0}.", verbatim(messageOf(error))));
}
