// Runs inside the extension host. Measures what one waits for when the extension is activated in a window that is quiet.
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';

export interface MeasuredActivation {
  /** Until `activate` has returned its API, loading included, in milliseconds. */
  readonly ms: number;
  readonly cpuMs: number;
}

const untilQuiet = 5000;
/** What V8 compiled is kept ten seconds after a start. */
const untilKept = 15_000;

export async function run(): Promise<void> {
  await delay(untilQuiet);
  const extension = vscode.extensions.getExtension('agent-logs.agent-logs');
  if (!extension || extension.isActive) throw new Error('The extension is missing or already active.');
  const cpu = process.cpuUsage();
  const began = performance.now();
  await extension.activate();
  const ms = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  const measured: MeasuredActivation = { ms, cpuMs: (user + system) / 1000 };
  await delay(untilKept);
  writeFileSync(process.env['AGENT_LOGS_RESULTS'] ?? 'activation.json', JSON.stringify(measured));
}
