import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildProduction } from '../harness/bundle';
import type { Figure, FigureOptions, Row } from '../harness/figure';
import { atLeast, atMost } from '../harness/figure';
import { median } from '../harness/sideBySide';

const words = 'reading the file that the search has found, and then the tests of it; all of them have passed. ';
const line = `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { text: words.repeat(10) } })}\n`;
/** Pause between round trips, in milliseconds, similar to a real conversation. */
const pause = 2;
/** Round trips to warm up. */
const warmUp = 500;

type Command = readonly string[];

/** @param checkout whose tap it is; default: this one's */
type Tapped = (command: Command, checkout?: string) => Command;

/** The cost of the tap: round trips to an echo with and without it, and a flood through it and through `cat`, the cheapest relay. */
export const tap: Figure = async (options) => {
  const { against } = options;
  for (const checkout of ['.', ...(against === undefined ? [] : [against])]) buildProduction(checkout);
  const folder = mkdtempSync(join(tmpdir(), 'agent-logs-bench-'));
  const tapped: Tapped = (command, checkout = '.') => [
    process.execPath,
    resolve(checkout, 'dist/cli.js'),
    'tap',
    '--folder',
    folder,
    '--',
    ...command,
  ];
  try {
    return [await latency(tapped, options), await throughput(tapped, folder, options)];
  } finally {
    rmSync(folder, { recursive: true });
  }
};

async function latency(tapped: Tapped, { quick }: FigureOptions): Promise<Row> {
  const trips = quick ? 200 : 1500;
  const times: number[][] = [[], []];
  for (let round = 0; round < 3; round++) {
    for (const [i, command] of [['cat'], tapped(['cat'])].entries()) {
      times[i]?.push(...(await pingPong(command, trips)));
    }
  }
  const [direct = [], through = []] = times.map((all) => all.sort((a, b) => a - b));
  const added = at(through, 0.99) - at(direct, 0.99);
  const details = `1 KB there and back: ${at(direct, 0.99).toFixed(2)} ms without, ${at(through, 0.99).toFixed(2)} ms with`;
  return atMost('the tap, added latency p99', added, 0.5, 'ms', details);
}

async function throughput(tapped: Tapped, folder: string, { quick, rounds, against }: FigureOptions): Promise<Row> {
  const count = Math.floor(((quick ? 32 : 256) * 1e6) / line.length);
  const writer = join(folder, 'writer.mjs');
  writeFileSync(
    writer,
    `const line = ${JSON.stringify(line)}; let left = ${count};
     const go = () => { while (left > 0) { left--; if (!process.stdout.write(line)) return process.stdout.once('drain', go); } }; go();`,
  );
  const agent = [process.execPath, writer];
  const speeds: (readonly [cat: number, tap: number, older: number])[] = [];
  for (let round = 0; round < rounds; round++) {
    const plain = await flood(['sh', '-c', '"$@" | cat', 'sh', ...agent]);
    const tap = await flood(tapped(agent));
    speeds.push([plain, tap, against === undefined ? NaN : await flood(tapped(agent, against))]);
  }
  const speed = median(speeds.map(([cat, tap]) => tap / cat));
  const [cat, tap] = [median(speeds.map(([cat]) => cat)), median(speeds.map(([, tap]) => tap))];
  const row = atLeast('the tap, 1 KB lines', speed, 0.7, `${tap.toFixed(0)} MB/s; cat ${cat.toFixed(0)} MB/s`);
  const ratio = median(speeds.map(([, ours, older]) => ours / older));
  return against === undefined ? row : { ...row, older: { ratio, goal: 1.5 } };
}

/** Sends lines one at a time and waits for each echo. Returns the times in milliseconds. */
function pingPong([program = '', ...args]: Command, trips: number): Promise<number[]> {
  return new Promise((done) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const times: number[] = [];
    let sent = 0;
    let received = 0;
    const send = (): void => {
      sent = performance.now();
      child.stdin.write(line);
    };
    child.stdout.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received < line.length) return;
      received = 0;
      times.push(performance.now() - sent);
      if (times.length < trips + warmUp) setTimeout(send, pause);
      else child.stdin.end();
    });
    child.on('close', () => done(times.slice(warmUp)));
    send();
  });
}

/** Reads everything a command writes. Returns megabytes per second, from the first byte. */
function flood([program = '', ...args]: Command): Promise<number> {
  return new Promise((done) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.end();
    let began = 0;
    let ended = 0;
    let bytes = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      began ||= performance.now();
      bytes += chunk.length;
      ended = performance.now();
    });
    child.on('close', () => done(bytes / 1e6 / ((ended - began) / 1000)));
  });
}

function at(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}
