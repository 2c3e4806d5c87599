import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { FileRun } from '../past/files/fileRun';
import { messageOf } from '../text/humanError';
import { ReadTally } from '../runLog/reading/readTally';
import { nothingIn } from './nothingRead';
import { SpillFolder } from '../machine/spill/spillFolder';
import type { CheckOptions } from './commands/check';
import type { Cli } from './context';
import { defaultChecksFile, isChecksFile, readChecks } from './check/checksFile';
import type { Outcome } from './check/evaluate';
import { doubted } from './check/doubted';
import { evaluate } from './check/evaluate';
import type { Expectation } from './check/expectation';
import { expectationOf } from './check/expectation';
import type { RunOutcomes } from './check/report';
import { junitReport, jsonReport, textReport } from './check/report';
import { isPipe, runOf, shownName } from './runArgument';
import { UsageError } from './usageError';

/** Approximate limit for a run's records in memory, in bytes. The others go to a temporary file. */
const maxMemory = 256 * 1024 * 1024;
/** How often a run that is followed is checked, in milliseconds. */
const followMs = 1000;
const failedExit = 1;
const usageExit = 2;

/** Checks a recorded run. The exit code is 1 if an expectation failed, and 2 if the run or the checks can't be read. */
export async function check(options: CheckOptions, cli: Cli): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-logs-check-'));
  const runs = new CheckedRuns(folder, options.follow, cli);
  try {
    return await checked(options, runs, cli);
  } catch (error) {
    cli.fail(error instanceof UsageError ? error.message : messageOf(error));
    return usageExit;
  } finally {
    await runs.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

async function checked(options: CheckOptions, runs: CheckedRuns, cli: Cli): Promise<number> {
  const { json, junit, follow } = options;
  const results: RunOutcomes[] = [];
  const plan = await planOf(options, cli);
  const others = [...plan.values()].flat().flatMap((one) => (one.type === 'compare' ? [one.other] : []));
  if (junit !== undefined) await keepRead(junit, [...options.names, ...plan.keys(), ...others, defaultChecksFile]);
  for (const [argument, expectations] of plan) {
    const run = await runs.open(argument);
    if (follow) await untilEnded(run, expectations, runs, cli);
    const missing = await runs.missing(argument);
    const outcomes: Outcome[] = [];
    for (const expectation of expectations) {
      const outcome = await evaluate(run, expectation, (other) => runs.open(other));
      const others = expectation.type === 'compare' ? await runs.missing(expectation.other) : [];
      outcomes.push(doubted(outcome, expectation, [...missing, ...others.map((what) => `of the other run, ${what}`)]));
    }
    results.push({ run: run.name, missing, outcomes });
  }
  for (const line of json ? [jsonReport(results)] : textReport(results)) cli.print(line);
  await cli.flush();
  if (junit !== undefined) await writeReport(junit, junitReport(results, cli.redactor()));
  // A report that didn't arrive says nothing.
  if (cli.hasGone) return usageExit;
  return results.every(({ outcomes }) => outcomes.every(({ passed }) => passed)) ? 0 : failedExit;
}

async function writeReport(path: string, xml: string): Promise<void> {
  await writeFile(path, xml).catch((error: unknown) => {
    throw new UsageError(`--junit cannot be written: ${messageOf(error)}. Name a file in a folder that exists.`);
  });
}

/** @throws UsageError if the report would replace what is read for it */
async function keepRead(report: string, read: readonly string[]): Promise<void> {
  const place = await realpath(report).catch(() => undefined);
  for (const path of place === undefined ? [] : read) {
    if ((await realpath(path).catch(() => undefined)) !== place) continue;
    throw new UsageError(`--junit would replace ${path}, which is read. Name another file.`);
  }
}

/** What is expected of each run. */
async function planOf(options: CheckOptions, cli: Cli): Promise<ReadonlyMap<string, readonly Expectation[]>> {
  const { names, expectations } = options;
  const [first, second] = names;
  const isFile = first !== undefined && (await isChecksFile(first));
  const run = isFile ? second : first;
  if (run !== undefined && isFile && (await isChecksFile(run))) {
    throw new UsageError(`Name one file of checks only; "${run}" is one too many.`);
  }
  if (!isFile && second !== undefined) {
    // Says why it isn't one, if it is meant as a file of checks.
    if (first?.endsWith('.json') === true) await readChecks(first);
    throw new UsageError(`Name one run only; "${second}" is one too many.`);
  }
  if (isFile && run === undefined && expectations.length > 0) {
    throw new UsageError(`Name the run after ${first}: --expect and the like are for that run.`);
  }
  const own = expectations.map((one, index) => expectationOf(one, `expectation ${index + 1}`));
  const file = isFile ? first : own.length > 0 ? undefined : await checksHere(first, cli);
  const plan = new Map<string, Expectation[]>();
  const add = (name: string | undefined, expectation: Expectation): void => {
    if (name === undefined) throw new UsageError(`${file} does not name a run: add "run", or name it after the file.`);
    plan.set(name, [...(plan.get(name) ?? []), expectation]);
  };
  for (const check of file === undefined ? [] : await readChecks(file)) add(run ?? check.run, check.expectation);
  for (const expectation of own) add(run, expectation);
  return plan;
}

/** Only the folder in which the user is, never that of a run, which comes from elsewhere. */
async function checksHere(run: string | undefined, cli: Cli): Promise<string> {
  if (await stat(defaultChecksFile).catch(() => undefined)) {
    cli.warn(`the checks are those of ${defaultChecksFile} in this folder.`);
    return defaultChecksFile;
  }
  throw new UsageError(
    run === undefined
      ? `Name the run to check (a file, a saved session, or -), or a file of checks: there is no ${defaultChecksFile} here.`
      : `Say what to check, such as --no-problems error: see check --help, or write a file ${defaultChecksFile}.`,
  );
}

/** Waits for the end of a run that is still being written, and says at once what can only fail. */
async function untilEnded(
  run: FileRun,
  expectations: readonly Expectation[],
  runs: CheckedRuns,
  cli: Cli,
): Promise<void> {
  const failed = new Set<Expectation>();
  const early = expectations.filter((one) => one.type === 'noProblems' || 'max' in one);
  let seen = -1;
  const look = async (): Promise<void> => {
    if (run.log.lastSeq === seen) return;
    seen = run.log.lastSeq;
    for (const expectation of early.filter((one) => !failed.has(one))) {
      const { passed, title, found } = await evaluate(run, atMost(expectation), (other) => runs.open(other));
      if (passed) continue;
      failed.add(expectation);
      cli.warn(`fails so far: ${title}: ${found}`);
    }
  };
  while (run.state.type !== 'ended') {
    await look();
    await runs.ended(run, followMs);
  }
}

/** What has to come may still come. */
function atMost(expectation: Expectation): Expectation {
  if (expectation.type !== 'records' && expectation.type !== 'spans') return expectation;
  const { min: _min, ...rest } = expectation;
  return rest;
}

/** The runs that are read for one check. */
class CheckedRuns {
  private readonly opened = new Map<string, Promise<FileRun>>();
  private readonly tallies = new Map<string, ReadTally>();
  private readonly spills: SpillFolder;
  private pipes = 0;

  /** @param follows whether to wait for the ends of runs */
  constructor(
    private readonly folder: string,
    private readonly follows: boolean,
    private readonly cli: Cli,
  ) {
    this.spills = new SpillFolder(folder, { error: () => undefined });
  }

  /** @throws UsageError if it can't be read */
  open(argument: string): Promise<FileRun> {
    const known = this.opened.get(argument);
    const opening = known ?? this.read(argument);
    this.opened.set(argument, opening);
    return opening;
  }

  /**
   * What of a run isn't known.
   * @throws UsageError if nothing of a run was read, or its records didn't fit
   */
  async missing(argument: string): Promise<readonly string[]> {
    const { log, info } = await this.open(argument);
    const tally = this.tallies.get(argument) ?? new ReadTally();
    const nothing = nothingIn(log, tally, info.saved !== undefined);
    if (nothing !== undefined) throw new UsageError(`${shownName(argument)} ${nothing}`);
    const { startFailure } = tally;
    if (startFailure !== undefined) {
      throw new UsageError(`${shownName(argument)} has no run: its agent couldn't be started. ${startFailure}`);
    }
    const { dropped } = log.store;
    if (dropped > 0) throw new UsageError(`${dropped} records did not fit on the disk, so the checks say nothing.`);
    // What isn't a journal says nothing of the end of its agent.
    const isOpen = !tally.isJournal && log.spans({ kinds: ['turn'] }).some(({ endedAt }) => endedAt === undefined);
    return [...tally.missing, ...(isOpen ? ['a turn has no end: it is still running, or its agent was killed'] : [])];
  }

  /** Settles when a run has ended, or after some time, in milliseconds. */
  ended(run: FileRun, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        listener.dispose();
        resolve();
      };
      const timer = setTimeout(done, ms);
      const listener = run.onDidChangeState(({ type }) => {
        if (type === 'ended') done();
      });
    });
  }

  async dispose(): Promise<void> {
    const runs = await Promise.allSettled(this.opened.values());
    for (const run of runs) if (run.status === 'fulfilled') await run.value.dispose();
    this.spills.dispose();
  }

  private async read(argument: string): Promise<FileRun> {
    const path = (await isPipe(argument)) ? await this.spooled(argument) : argument;
    const info = await runOf(path, this.cli);
    const named = path !== argument && info.name === basename(path) ? { ...info, name: shownName(argument) } : info;
    const tally = new ReadTally();
    this.tallies.set(argument, tally);
    const run = new FileRun(named, {
      level: 'debug',
      maxMemory,
      spill: () => this.spills.create(),
      redaction: this.cli.redaction,
      follows: this.follows,
      tally,
    });
    await run.read();
    return run;
  }

  /** A pipe can be read only once, so it is copied. */
  private async spooled(argument: string): Promise<string> {
    const path = join(this.folder, `pipe-${++this.pipes}.ndjson`);
    const pipe = argument === '-' ? this.cli.stdin : createReadStream(argument);
    await pipeline(pipe, createWriteStream(path, { mode: 0o600 }));
    return path;
  }
}
