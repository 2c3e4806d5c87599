import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Measured } from '../subjects/meter';
import { outFolder } from './bundle';
import type { Row } from './figure';

/** One of several subjects that are measured together, each in its own process. */
export interface Subject {
  readonly name: string;
  /** A file in `bench/subjects`, without extension. */
  readonly program: string;
  readonly args?: readonly string[];
  /** Files to pipe into it, one after the other. */
  readonly files?: readonly string[];
  /** The checkout whose program it is, if not this one. */
  readonly checkout?: string;
}

/** A subject, and after it the same of an older checkout, if there is one that has it. */
export function withOlder(subject: Subject, checkout: string | undefined): readonly Subject[] {
  return checkout === undefined || !existsSync(programOf({ ...subject, checkout }))
    ? [subject]
    : [subject, { ...subject, name: older(subject.name), checkout }];
}

/** The speed of a subject relative to the older checkout's, in CPU time. */
export function againstOlder(
  runs: ReadonlyMap<string, readonly Pick<Measured, 'cpuMs'>[]>,
  name: string,
  goal: number,
): Pick<Row, 'older'> {
  const [ours, theirs] = [runs.get(name), runs.get(older(name))];
  return ours && theirs ? { older: { ratio: ratio(ours, theirs, 'cpuMs'), goal } } : {};
}

function older(name: string): string {
  return `${name}, older`;
}

/** Runs subjects in turns, because the machine's load varies. Returns the runs of each, in order. */
export async function sideBySide<T = Measured>(
  subjects: readonly Subject[],
  rounds: number,
): Promise<ReadonlyMap<string, readonly T[]>> {
  const runs = new Map<string, T[]>(subjects.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const subject of subjects) runs.get(subject.name)?.push(await measure<T>(subject));
  }
  return runs;
}

/** The speed of one relative to the other, in wall or CPU time: the median over the turns. */
export function ratio<By extends string = 'ms'>(
  ours: readonly Readonly<Record<By, number>>[] = [],
  theirs: readonly Readonly<Record<By, number>>[] = [],
  by = 'ms' as By,
): number {
  return median(ours.map((one, turn) => (theirs[turn]?.[by] ?? NaN) / one[by]));
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** @throws if one of them delivered another number or total length of messages than the first */
export function requireSame(
  runs: ReadonlyMap<string, readonly Measured[]>,
  what: 'messages' | 'texts' = 'texts',
): void {
  const [expected] = [...runs.values()][0] ?? [];
  for (const [name, all] of runs) {
    for (const { messages, chars } of all) {
      if (messages === expected?.messages && (what === 'messages' || chars === expected.chars)) continue;
      throw new Error(
        `${name} delivered ${messages} messages (${chars}), not ${expected?.messages} (${expected?.chars})`,
      );
    }
  }
}

function programOf({ program, checkout = '' }: Subject): string {
  return join(checkout, outFolder, 'subjects', `${program}.mjs`);
}

function measure<T>(subject: Subject): Promise<T> {
  const { program, args = [], files = [] } = subject;
  const command = [process.execPath, programOf(subject), ...args];
  const child =
    files.length === 0
      ? spawn(command[0] ?? '', command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] })
      : spawn('sh', ['-c', `cat ${files.join(' ')} | "$@"`, 'sh', ...command], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
  return new Promise((resolve, reject) => {
    let told = '';
    child.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()));
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(told) as T);
      else reject(new Error(`${program} ended with ${code}`));
    });
  });
}
