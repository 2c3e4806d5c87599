// Reads a journal like the extension does, with default settings. With `--spill`, records that don't fit into memory are in a file, and a page
// in the middle is read as the explorer does.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseQuery } from '../../src/query/parseQuery';
import { RecordResult } from '../../src/matches/recordResult';
import { RegexWorker } from '../../src/machine/regexWorker';
import { FileRun } from '../../src/past/files/fileRun';
import { fileRunInfo } from '../../src/past/files/fileRunInfo';
import type { RunLog } from '../../src/runLog/runLog';
import { SpillFile } from '../../src/machine/spill/spillFolder';
import { redactionWith } from '../../test/support/redaction';

export interface MeasuredPastRun {
  /** From opening it to the first records. */
  readonly firstMs: number;
  readonly allMs: number;
  readonly cpuMs: number;
  readonly records: number;
  /** How many are in memory or in the file for those that don't fit. */
  readonly held: number;
  /** From asking for a page in the middle to its rows, if there is such a file. */
  readonly middleMs: number | undefined;
}

const path = process.argv[2] ?? '';
const folder = mkdtempSync(join(tmpdir(), 'agent-logs-bench-'));
const spills = process.argv.includes('--spill');
const { size, mtimeMs } = statSync(path);
const cpu = process.cpuUsage();
const start = performance.now();
const info = await fileRunInfo({ paths: [path], size, modifiedAt: mtimeMs }, 'past', () => undefined);
const run = new FileRun(info, {
  level: 'debug',
  maxMemory: 28 * 1024 ** 2,
  redaction: redactionWith(),
  ...(spills && { spill: spillFile }),
});
let firstMs = 0;
let records = 0;
run.log.onDidChange((change) => {
  if (change.count > 0) firstMs ||= performance.now() - start;
  records += change.count;
});
await run.read();
const { user, system } = process.cpuUsage(cpu);
const allMs = performance.now() - start;
const middleMs = spills ? await readMiddle(run.log) : undefined;
const { held } = run.log.store;
const measured: MeasuredPastRun = { firstMs, allMs, cpuMs: (user + system) / 1000, records, held, middleMs };
process.stdout.write(JSON.stringify(measured));
await run.dispose();
rmSync(folder, { recursive: true, force: true });

function spillFile(): SpillFile {
  return new SpillFile({
    path: join(folder, 'records'),
    maxBytes: 1024 ** 3,
    onProblem: (error) => {
      throw error;
    },
  });
}

async function readMiddle(log: RunLog): Promise<number> {
  const regex = new RegexWorker();
  const result = new RecordResult(log, parseQuery(''), { now: () => log.connection.lastAt, regex });
  await new Promise<void>((resolve) => result.onDidChange(({ isDone }) => isDone && resolve()));
  const asked = performance.now();
  const rows = await result.rows(Math.floor(result.state.total / 2), 60);
  const ms = performance.now() - asked;
  if (rows.length !== 60) throw new Error(`${rows.length} rows in the middle, not 60`);
  result.dispose();
  regex.dispose();
  return ms;
}
