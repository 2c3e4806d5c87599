// Runs inside the extension host. Measures the cost of the extension while an agent floods it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Session } from 'node:inspector/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import type { AgentLogsApi } from '../../api/agent-logs';
import { Workbench } from '../../test/suites/workbench';

export interface MeasuredHost {
  readonly vscode: string;
  /** What the extension adds to the resident memory of the extension host, before an agent is started, in bytes. */
  readonly windowBytes: number;
  /** What each idle agent adds, without its own process. */
  readonly agentBytes: number;
  readonly idle: MeasuredLoop;
  readonly flood: MeasuredLoop;
  /** The number of messages received, and the time in milliseconds. */
  readonly messages: number;
  readonly floodMs: number;
  /** Time from receiving the last message until the Output view showed it, in milliseconds. */
  readonly currentMs: number;
}

/** In milliseconds. */
export interface MeasuredLoop {
  readonly p99: number;
  readonly max: number;
  /** Time from typing a character until the editor has it. */
  readonly keystrokeMedian: number;
  readonly keystrokeP99: number;
}

const sessions = 20;
const messagesPerSecond = 100_000;
const betweenKeys = 40;
const idleAgents = 10;
const settling = 2000;

export async function run(): Promise<void> {
  const seconds = Number(process.env['AGENT_LOGS_BENCH_SECONDS'] ?? 10);
  const empty = await residentMemory();
  const api = await vscode.extensions.getExtension<AgentLogsApi>('agent-logs.agent-logs')?.activate();
  if (!api) throw new Error('The extension is missing.');
  const windowBytes = (await residentMemory()) - empty;
  const env = { ELECTRON_RUN_AS_NODE: '1' };
  const agent = { command: process.execPath, args: [join(__dirname, 'floodAgent.js')], env };
  const others = Array.from({ length: idleAgents }, (_, n) => `Idle ${n}`);
  const agents = Object.fromEntries(['Flood', ...others].map((name) => [name, agent]));
  const { Workspace } = vscode.ConfigurationTarget;
  await vscode.workspace.getConfiguration('agentLogs').update('agents', agents, Workspace);
  const run = await api.start('Flood');
  const agentBytes = await memoryOf(api, others);
  const ids: string[] = [];
  for (let n = 0; n < sessions; n++) ids.push(await run.newSession());
  await showAll(run.id);

  const idle = await during(delay(2000));
  let began = performance.now();
  const profile = profiled(process.env['AGENT_LOGS_BENCH_PROFILE']);
  // Its response comes right after the last message.
  const flood = await during(run.prompt(ids[0] ?? '', `/flood ${messagesPerSecond} ${seconds}`));
  const floodMs = performance.now() - began;
  await profile?.();

  // A driver of the window slows down this process, so that is measured with another flood.
  const workbench = await Workbench.connect();
  const short = Math.min(3, seconds);
  await run.prompt(ids[0] ?? '', `/flood ${messagesPerSecond} ${short}`);
  began = performance.now();
  await workbench.page
    .locator('.part.panel .output-view, .part.panel .monaco-editor')
    .getByText(`message ${messagesPerSecond * short - 1} of`.replaceAll(' ', '\u00a0'), { exact: false })
    .first()
    .waitFor();
  const currentMs = performance.now() - began;
  await run.stop();

  const measured: MeasuredHost = {
    vscode: vscode.version,
    windowBytes,
    agentBytes,
    idle,
    flood,
    messages: messagesPerSecond * seconds,
    floodMs,
    currentMs,
  };
  writeFileSync(process.env['AGENT_LOGS_RESULTS'] ?? 'host.json', JSON.stringify(measured));
}

/** What each of these agents adds to the memory of the extension host, in bytes. */
async function memoryOf(api: AgentLogsApi, agents: readonly string[]): Promise<number> {
  const before = await residentMemory();
  const runs = await Promise.all(agents.map((name) => api.start(name)));
  const bytes = ((await residentMemory()) - before) / agents.length;
  await Promise.all(runs.map((run) => run.stop()));
  return bytes;
}

/** Without garbage, in bytes. */
async function residentMemory(): Promise<number> {
  await delay(settling);
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  // What the first collection finalises is freed by the second.
  for (let round = 0; round < 2; round++) collectGarbage();
  return process.memoryUsage.rss();
}

/** The tree, the output channel, and an editor to type into. */
async function showAll(runId: string): Promise<void> {
  await vscode.commands.executeCommand('agentLogs.sessions.focus');
  await vscode.commands.executeCommand('agentLogs.showOutput', runId);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: '' }));
}

/** Starts a CPU profile if a file is configured for it. Returns a function that stops and writes it. */
function profiled(file: string | undefined): (() => Promise<void>) | undefined {
  if (file === undefined) return undefined;
  const session = new Session();
  session.connect();
  const started = session.post('Profiler.enable').then(() => session.post('Profiler.start'));
  return async () => {
    await started;
    const { profile } = await session.post('Profiler.stop');
    writeFileSync(file, JSON.stringify(profile));
  };
}

/** Measures event loop delays and typing until the flood is over. */
async function during(work: Promise<unknown>): Promise<MeasuredLoop> {
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const over = work.then(() => true);
  const keys: number[] = [];
  while (!(await Promise.race([over, delay(betweenKeys, false)]))) {
    const began = performance.now();
    await vscode.commands.executeCommand('type', { text: 'x' });
    keys.push(performance.now() - began);
  }
  loop.disable();
  keys.sort((a, b) => a - b);
  const at = (part: number): number => keys[Math.floor(keys.length * part)] ?? NaN;
  return {
    p99: loop.percentile(99) / 1e6,
    max: loop.max / 1e6,
    keystrokeMedian: at(0.5),
    keystrokeP99: at(0.99),
  };
}
