// The cost of watching who works: `node --import tsx bench/watch.ts [SESSIONS] [SECONDS]` (default: 10,000 and 60). Prints the CPU time as a share
// of one core, while nothing changes and while five sessions of Claude Code work, each of which writes a line per second. Fails above 0.1 % and
// 1 %. It measures a bundle of itself, because tsx alone takes 0.14 % of a core.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stillAlive } from '../src/machine/processAlive';
import { runningPrograms } from '../src/machine/programs';
import { SavedSessions } from '../src/past/saved/list/savedSessions';
import { processTime } from '../src/past/saved/now/sessionWatch';
import { makeManySessions } from '../test/support/manySessions';

/** Shares of one core. */
const [maxIdle, maxBusy] = [0.001, 0.01];
/** After the first look, in milliseconds. */
const settling = 15_000;
const working = 5;

/** A process that works in sessions: it writes a call and its result in turns, until it is killed. */
const writer = `
const { appendFileSync } = require('node:fs');
const files = process.argv.slice(1);
let n = 0;
setInterval(() => {
  n++;
  for (const file of files) {
    const sessionId = file.slice(-42, -6);
    const common = { isSidechain: false, cwd: '/home/dev/shop', sessionId, version: '2.1.332', timestamp: new Date().toISOString() };
    const id = 'call' + (n >> 1);
    const call = { role: 'assistant', id: 'm' + n, content: [{ type: 'tool_use', id, name: 'Bash', input: { command: 'npm test' } }] };
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'x'.repeat(2000) }] };
    const line = { parentUuid: 'w' + (n - 1), uuid: 'w' + n, type: n % 2 ? 'user' : 'assistant', message: n % 2 ? result : call, ...common };
    appendFileSync(file, JSON.stringify(line) + '\\n');
  }
}, 1000);`;

async function main(count: number, seconds: number): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'agent-logs-watch-'));
  makeManySessions(home, { count, now: Date.now() - 60_000 });
  const machine = { platform: process.platform, home, env: {} };
  const sessions = new SavedSessions({
    machine,
    redactor: undefined,
    isAlive: stillAlive(),
    programs: runningPrograms(),
    now: Date.now,
    cachePath: join(home, 'cache.json'),
  });
  const first = process.cpuUsage();
  const watch = sessions.now(processTime);
  let changes = 0;
  watch.onDidChange(() => changes++);
  await delay(settling);
  const { user, system } = process.cpuUsage(first);
  console.log(`${count} sessions: the first look took ${((user + system) / 1000).toFixed(0)} ms of CPU time`);
  globalThis.gc?.(); // don't count garbage from startup, which is swept in the background
  await delay(settling);
  const idle = await share(seconds);
  const child = work(home);
  try {
    await delay(settling);
    const before = changes;
    const busy = await share(seconds);
    const states = watch.sessions.filter(({ state }) => state.type === 'working').length;
    console.log(
      `idle: ${percent(idle)}; with ${states} that work: ${percent(busy)}, ${changes - before} changes in ${seconds} s`,
    );
    return idle <= maxIdle && busy <= maxBusy && states === working ? 0 : 1;
  } finally {
    child.kill();
    watch.dispose();
    rmSync(home, { recursive: true });
  }
}

function work(home: string): ReturnType<typeof spawn> {
  const ids = Array.from({ length: working }, (_, n) => `0c5f0f0e-0000-4000-8000-${String(n * 2).padStart(12, '0')}`);
  const files = ids.map((id, n) => join(home, '.claude/projects', `-home-me-project${n}`, `${id}.jsonl`));
  const child = spawn(process.execPath, ['-e', writer, ...files], { stdio: ['ignore', 'inherit', 'inherit'] });
  const marks = join(home, '.claude/sessions');
  mkdirSync(marks, { recursive: true });
  for (const [n, sessionId] of ids.entries()) {
    const mark = { pid: child.pid, sessionId, status: 'busy', statusUpdatedAt: Date.now() };
    writeFileSync(join(marks, `${n}.json`), JSON.stringify(mark));
  }
  return child;
}

async function share(seconds: number): Promise<number> {
  const [before, start] = [process.cpuUsage(), performance.now()];
  await delay(seconds * 1000);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / (performance.now() - start);
}

function percent(part: number): string {
  return `${(part * 100).toFixed(3)} % of a core`;
}

/** Runs this file without tsx. Returns the exit code. */
async function runBundled(args: readonly string[]): Promise<number> {
  const { build } = await import('esbuild');
  const { kernelInBundle } = await import('../scripts/kernel.mjs');
  const folder = mkdtempSync(join(tmpdir(), 'agent-logs-watch-'));
  const outfile = join(folder, 'watch.cjs');
  await build({
    entryPoints: [import.meta.filename],
    outfile,
    bundle: true,
    platform: 'node',
    mainFields: ['module', 'main'],
    format: 'cjs',
    define: { ...kernelInBundle, isBundled: 'true' },
    logLevel: 'error',
  });
  const { status } = spawnSync(process.execPath, ['--expose-gc', outfile, ...args], { stdio: 'inherit' });
  rmSync(folder, { recursive: true });
  return status ?? 1;
}

/** Set in the bundle. */
declare const isBundled: true | undefined;
const [count = '10000', seconds = '60'] = process.argv.slice(2);
const run = typeof isBundled === 'undefined' ? runBundled([count, seconds]) : main(Number(count), Number(seconds));
void run.then((code) => process.exit(code));
