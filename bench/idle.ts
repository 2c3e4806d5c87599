// The cost of following idle journals: `node --expose-gc --import tsx bench/idle.ts [FILES] [SECONDS]` (default: 50 and 50). Prints the
// CPU time as a share of one core, and how long a new line takes to appear afterwards. Fails above 0.2 %.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FileRun } from '../src/past/files/fileRun';
import { fileRunInfo } from '../src/past/files/fileRunInfo';
import { journalLine } from '../src/wire/journal/journalLine';

/** Length of a measurement in milliseconds. The median counts, because V8 collects garbage in some of them. */
const turn = 10_000;
/** Share of one core. */
const maxShare = 0.002;
/** In milliseconds, because files are checked more often at first. */
const settling = 15_000;

async function main(files: number, seconds: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-logs-idle-'));
  const writer = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)'], { stdio: 'ignore' });
  try {
    const runs: FileRun[] = [];
    for (let n = 0; n < files; n++) runs.push(await followed(join(folder, `journal ${n}.ndjson`), writer.pid ?? 0));
    await delay(settling);
    globalThis.gc?.(); // don't count garbage from startup
    const shares: number[] = [];
    while (shares.length * turn < seconds * 1000) {
      const [before, start] = [process.cpuUsage(), performance.now()];
      await delay(turn);
      const { user, system } = process.cpuUsage(before);
      shares.push((user + system) / 1000 / (performance.now() - start));
    }
    const share = shares.sort((a, b) => a - b)[Math.floor(shares.length / 2)] ?? 0;
    const latencies = [];
    for (const run of runs.slice(0, 10)) latencies.push(await latency(run));
    console.log(
      `${files} idle journals: ${(share * 100).toFixed(3)} % of a core over ${seconds} s; ` +
        `a new line is shown after ${Math.max(...latencies).toFixed(0)} ms at most`,
    );
    return share <= maxShare ? 0 : 1;
  } finally {
    writer.kill();
    rmSync(folder, { recursive: true });
  }
}

async function followed(path: string, pid: number): Promise<FileRun> {
  const startedAt = new Date().toISOString();
  const header = {
    journal: 1,
    agent: 'A',
    protocol: 'acp',
    command: ['a'],
    cwd: '/',
    startedAt,
    part: 1,
    tap: { pid, beat: 60 },
  };
  const first = journalLine({ t: Date.now(), dir: 'err', line: 'hello' }, 0);
  writeFileSync(path, `${JSON.stringify(header)}\n${first}\n`);
  const info = await fileRunInfo({ paths: [path], size: 1, modifiedAt: Date.now() }, 'opened', () => undefined);
  const run = new FileRun(info, { level: 'info', maxMemory: 1e6, redaction: undefined });
  await run.read();
  return run;
}

function latency(run: FileRun): Promise<number> {
  const start = performance.now();
  return new Promise((resolve) => {
    const listener = run.log.onDidChange(() => {
      listener.dispose();
      resolve(performance.now() - start);
    });
    const t = Date.now();
    appendFileSync(run.journal.path ?? '', `${journalLine({ t, dir: 'ev', ev: 'stdin-close' }, 0)}\n`);
    appendFileSync(run.journal.path ?? '', `${journalLine({ t, dir: 'ev', ev: 'left-behind' }, 0)}\n`);
  });
}

void main(Number(process.argv[2] ?? 50), Number(process.argv[3] ?? 50)).then((code) => process.exit(code));
