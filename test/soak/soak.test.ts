// Sends five million messages through the whole pipeline (pipe, reader, redaction, interpreter, store, journal on disk) and measures memory: `npm run
// test:soak`, or with another number `AGENT_LOGS_MESSAGES=1000000 npm run test:soak`. Fails if memory grows or a message is missing.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Redactor } from '../../src/redact/redactor';
import type { Run } from '../../src/live/run';
import { JournalFolder } from '../../src/wire/journal/journalFolder';
import { ended } from '../support/testRun';
import { livingIn } from '../agents/processes';
import { exitOnSignals } from '../support/exitOnSignals';
import { printTable } from '../support/printTable';
import { journalOnDisk } from '../faults/journalOnDisk';
import { Stage } from '../faults/stage';

const messages = Number(process.env['AGENT_LOGS_MESSAGES'] ?? 5_000_000);
const mebibyte = 1024 * 1024;
/** The extension's defaults, but with smaller journals, so that they fit on any disk. */
const limits = { maxLineBytes: mebibyte, maxMessageBytes: 64 * mebibyte, maxMemory: 28 * mebibyte };
const journalLimits = { maxFileSize: 64 * mebibyte, maxTotalSize: 256 * mebibyte, maxAge: 1e12 };
/** Maximum growth in memory between a fifth of the way and the end, in bytes. */
const maxGrowth = 30 * mebibyte;

/** Number of measurements per step. */
const looks = 8;

interface Sample {
  readonly messages: number;
  readonly ms: number;
  /** Memory in use after a garbage collection, heap and external buffers: the maximum since the previous sample. */
  readonly used: number;
  readonly rss: number;
}

exitOnSignals();

describe('a long run', function () {
  this.timeout(30 * 60_000);
  const stage = new Stage();
  after(() => stage.clear());

  it(`keeps its memory and loses nothing of ${messages} messages`, async () => {
    assert.deepEqual(await lackingAfter(messages, stage), []);
  });
});

/** Runs an agent that sends so many messages, prints the figures, and returns what is wrong with them. */
async function lackingAfter(total: number, stage: Stage): Promise<readonly string[]> {
  assert.ok(globalThis.gc, 'needs --expose-gc: npm run test:soak');
  const idle = sample(0, 0);
  const journal = stage.journal({ maxFileSize: journalLimits.maxFileSize });
  const start = performance.now();
  const run = await stage.startNumbered({ total, limits, journal, redactor: new Redactor() });
  let shown = 0;
  run.log.onDidChange(({ records }) => (shown += records.length));
  const samples = await soak(run, stage, total, start);
  const termination = await ended(run);
  await journal.close();
  const seconds = (performance.now() - start) / 1000;

  console.log('');
  print([idle, ...samples], idle);
  const steady = samples.filter(({ messages }) => messages >= total / 5).map(({ used }) => used);
  const growth = Math.max(...steady) - Math.min(...steady);
  const received = run.log.connection.counts.alert;
  const bytes = statSync(journal.path ?? '').size;
  const disk = journalOnDisk(stage.journals);
  const lacking = [
    ...(growth <= maxGrowth ? [] : [`memory in use differs by ${mb(growth)}`]),
    ...(received === total ? [] : [`${total - received} messages are missing in the log`]),
    ...(journal.missing === 0 && stage.problems.length === 0 ? [] : [`${journal.missing} missing in the journal`]),
    ...(disk.last === total ? [] : [`the journal ends with message ${disk.last}`]),
    ...(disk.hasNoGap ? [] : ['the journal has gaps']),
    ...(termination.exitCode === 0 ? [] : [`ended with ${JSON.stringify(termination)}`]),
    ...(livingIn(stage.folder).length === 0 ? [] : ['processes are left']),
  ];
  console.log(
    `\n${total} messages in ${seconds.toFixed(0)} s: ${Math.round(total / seconds)} a second, ${shown} records reported, ` +
      `${run.log.store.dropped} no longer in memory; the last of ${disk.files} journal files kept has ${mb(bytes)}`,
  );
  console.log(
    `memory in use after ${total / 5}: at most ${mb(growth)} apart (limit ${mb(maxGrowth)}); RSS at most ` +
      `${mb(Math.max(...samples.map(({ rss }) => rss)) - idle.rss)} above idle; messages lost: ${total - received}`,
  );
  return lacking;
}

/**
 * Measures in ten steps, and enforces the journal limits as the start of another run would. The store evicts records in batches, so each step counts its
 * maximum.
 */
async function soak(run: Run, stage: Stage, total: number, start: number): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  const folder = new JournalFolder(stage.journals);
  let most = 0;
  for (let look = 1; look <= 10 * looks;) {
    const messages = run.log.connection.counts.alert;
    if (messages < (total / 10 / looks) * look) {
      if (run.state.type === 'ended') break;
      await delay(20);
      continue;
    }
    const now = sample(messages, performance.now() - start);
    most = Math.max(most, now.used);
    if (look++ % looks > 0) continue;
    samples.push({ ...now, used: most });
    most = 0;
    await folder.prune(journalLimits, Date.now(), new Set([run.journal?.path ?? '']));
  }
  return samples;
}

function sample(messages: number, ms: number): Sample {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { messages, ms, used: heapUsed + external, rss };
}

function print(samples: readonly Sample[], idle: Sample): void {
  const head = ['Messages', 'Time', 'A second', 'In use', 'RSS', 'RSS above idle'];
  const rows = samples.map(({ messages, ms, used, rss }, i) => {
    const before = samples[i - 1];
    const rate = before ? Math.round(((messages - before.messages) / (ms - before.ms)) * 1000) : 0;
    return [String(messages), `${(ms / 1000).toFixed(1)} s`, String(rate), mb(used), mb(rss), mb(rss - idle.rss)];
  });
  printTable([head, ...rows]);
}

function mb(bytes: number): string {
  return `${(bytes / mebibyte).toFixed(1)} MB`;
}
