// Agents that together log 1,000 messages a second, each in small chunks of its own stream.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { LiveRun } from './liveRun';
import { Meter } from './meter';

const [corpus = '', agents = '1', seconds = '10'] = process.argv.slice(2);
const [rate, tickMs] = [1000, 10];
const lines = readFileSync(corpus, 'utf8').split('\n', rate * (Number(seconds) + 1));
const folder = mkdtempSync(join(tmpdir(), 'agent-logs-bench-'));
const runs = Array.from({ length: Number(agents) }, (_, n) => {
  const run = new LiveRun(folder, `agent-${n}`);
  run.begin({ logging: { level: 'debug' } }, 20);
  const stream = new PassThrough();
  return { log: run.log, stream, end: run.read(stream) };
});

let sent = 0;
// The first second isn't measured: the sessions have just begun.
await send(rate);
const meter = new Meter();
for (const { log } of runs) log.onDidChange(({ count }) => meter.tookUnread(count));
await send(lines.length);
for (const { stream } of runs) stream.end();
await Promise.all(runs.map(({ end }) => end));
rmSync(folder, { recursive: true });
meter.done();

/** Sends the messages up to this one when they are due, one agent after the other. */
function send(until: number): Promise<void> {
  const [first, start] = [sent, performance.now()];
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(until, first + Math.floor(((performance.now() - start) * rate) / 1000));
      const chunks = new Map<number, string>();
      for (; sent < due; sent++) {
        const agent = sent % runs.length;
        chunks.set(agent, `${chunks.get(agent) ?? ''}${lines[sent]}\n`);
      }
      for (const [agent, chunk] of chunks) runs[agent]?.stream.write(chunk);
      if (sent < until) return;
      clearInterval(timer);
      resolve();
    }, tickMs);
  });
}
