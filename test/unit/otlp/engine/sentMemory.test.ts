import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SentPosition } from '../../../../src/otlp/engine/sentMemory';
import { SentMemory } from '../../../../src/otlp/engine/sentMemory';
import { itOnPosix } from '../../../support/platform';
import { useFolder } from '../../../support/tempFolder';

const url = 'http://127.0.0.1:4318/v1/logs?key=secret';
const half: SentPosition = { records: 12, more: 0, spans: '1-3,5', stamp: '17 200', isDone: false };
const whole: SentPosition = { records: 40, more: 2, spans: '1-9', stamp: '18 900', isDone: true };

describe('memory of what was sent', () => {
  const temp = useFolder();
  let folder: string;
  let alive: number[];
  beforeEach(() => {
    folder = temp.in('state', 'sent');
    alive = [process.pid];
  });

  function open(more: { readonly url?: string; readonly again?: boolean } = {}): Promise<SentMemory> {
    const isAlive = ({ pid }: { readonly pid: number }): Promise<boolean> => Promise.resolve(alive.includes(pid));
    return SentMemory.open({ folder, url, isAlive, now: () => 1_796_000_000_000, again: false, ...more });
  }

  async function remember(...positions: readonly (readonly [string, SentPosition])[]): Promise<void> {
    const memory = await open();
    for (const one of positions) await memory.set(new Map([one]));
    await memory.close();
  }

  /** What is remembered of these runs. */
  async function remembered(runs: readonly string[], more?: Parameters<typeof open>[0]): Promise<unknown[]> {
    const memory = await open(more);
    const positions = runs.map((run) => memory.get(run));
    await memory.close();
    return positions;
  }

  const ending = (end: string): string => join(folder, readdirSync(folder).find((name) => name.endsWith(end)) ?? '');
  const file = (): string => ending('.ndjson');

  /** As its process would be: its file is closed, and the one that says who has it is left. */
  async function kill(memory: SentMemory): Promise<void> {
    const owner = ending('.pid');
    const owned = readFileSync(owner);
    await memory.close();
    writeFileSync(owner, owned);
    alive = [];
  }

  it('keeps the newest position of each run, also if the process was killed', async () => {
    const memory = await open();
    await memory.set(new Map([['a', half]]));
    await memory.set(new Map(Object.entries({ a: whole, b: half })));
    assert.deepEqual(memory.get('a'), whole);
    await kill(memory);
    assert.deepEqual(await remembered(['a', 'b', 'c']), [whole, half, undefined]);
    assert.equal(readFileSync(file(), 'utf8').trimEnd().split('\n').length, 3);
  });

  it('skips a line that was cut, and lines of a later version', async () => {
    await remember(['a', whole], ['b', half]);
    appendFileSync(file(), '{"future":1}\nnull\n{"run":"a","rec');
    await remember(['c', half]);
    assert.deepEqual(await remembered(['a', 'b', 'c']), [whole, half, half]);
  });

  it('is another one for each collector, and has no key of it', async () => {
    await remember(['a', whole]);
    assert.deepEqual(await remembered(['a'], { url: 'http://127.0.0.1:4319/v1/logs' }), [undefined]);
    assert.deepEqual(await remembered(['a'], { url: url.replace('secret', 'other') }), [whole]);
    assert.doesNotMatch(readdirSync(folder).join() + readFileSync(file(), 'utf8'), /secret/);
  });

  it('forgets', async () => {
    await remember(['a', whole]);
    await (await open({ again: true })).close();
    assert.deepEqual(await remembered(['a']), [undefined]);
  });

  it('belongs to one process at a time, until that has ended', async () => {
    const memory = await open();
    await assert.rejects(open(), /Another export to this collector is running \(process \d+\)/);
    await memory.close();
    const next = await open();
    await kill(next);
    await (await open()).close();
  });

  it("reports a folder that can't be written, before anything is sent", async () => {
    mkdirSync(join(folder, '..'));
    writeFileSync(folder, 'a file');
    await assert.rejects(open(), /What was sent can't be remembered: E/);
  });

  it('stops the export if it is full', async () => {
    const memory = await open();
    await memory.close();
    await assert.rejects(memory.set(new Map([['a', whole]])), { name: 'Error', message: 'Sending stopped' });
  });

  itOnPosix('is for the user alone', async () => {
    await remember(['a', whole]);
    chmodSync(file(), 0o644);
    await remember(['a', whole]);
    assert.equal(statSync(file()).mode & 0o777, 0o600);
  });
});
