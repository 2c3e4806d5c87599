import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SentPosition } from '../../../../src/otlp/engine/sentMemory';
import { SentMemory } from '../../../../src/otlp/engine/sentMemory';

const url = 'http://127.0.0.1:4318/v1/logs?key=secret';
const half: SentPosition = { records: 12, more: 0, spans: '1-3,5', stamp: '17 200', isDone: false };
const whole: SentPosition = { records: 40, more: 2, spans: '1-9', stamp: '18 900', isDone: true };

describe('memory of what was sent', () => {
  let folder: string;
  let alive: number[];
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'agent-logs-sent-')), 'state', 'sent');
    alive = [process.pid];
  });
  afterEach(() => rmSync(join(folder, '..', '..'), { recursive: true, force: true }));

  function open(more: { readonly url?: string; readonly again?: boolean } = {}): Promise<SentMemory> {
    const isAlive = ({ pid }: { readonly pid: number }): Promise<boolean> => Promise.resolve(alive.includes(pid));
    return SentMemory.open({ folder, url, isAlive, now: () => 1_796_000_000_000, again: false, ...more });
  }

  async function remember(...positions: readonly (readonly [string, SentPosition])[]): Promise<void> {
    const memory = await open();
    for (const one of positions) await memory.set(new Map([one]));
    await memory.close();
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
    await memory.set(
      new Map([
        ['a', whole],
        ['b', half],
      ]),
    );
    assert.deepEqual(memory.get('a'), whole);
    await kill(memory);
    const later = await open();
    assert.deepEqual([later.get('a'), later.get('b'), later.get('c')], [whole, half, undefined]);
    await later.close();
    assert.equal(readFileSync(file(), 'utf8').trimEnd().split('\n').length, 3);
  });

  it('skips a line that was cut, and lines of a later version', async () => {
    await remember(['a', whole], ['b', half]);
    appendFileSync(file(), '{"future":1}\nnull\n{"run":"a","rec');
    const memory = await open();
    await memory.set(new Map([['c', half]]));
    await memory.close();
    const later = await open();
    assert.deepEqual([later.get('a'), later.get('b'), later.get('c')], [whole, half, half]);
    await later.close();
  });

  it('is another one for each collector, and has no key of it', async () => {
    await remember(['a', whole]);
    const other = await open({ url: 'http://127.0.0.1:4319/v1/logs' });
    assert.equal(other.get('a'), undefined);
    await other.close();
    const same = await open({ url: url.replace('secret', 'other') });
    assert.deepEqual(same.get('a'), whole);
    await same.close();
    assert.doesNotMatch(readdirSync(folder).join() + readFileSync(file(), 'utf8'), /secret/);
  });

  it('forgets', async () => {
    await remember(['a', whole]);
    await (await open({ again: true })).close();
    const later = await open();
    assert.equal(later.get('a'), undefined);
    await later.close();
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

  if (process.platform !== 'win32') {
    it('is for the user alone', async () => {
      await remember(['a', whole]);
      chmodSync(file(), 0o644);
      await remember(['a', whole]);
      const { mode } = await import('node:fs').then(({ statSync }) => statSync(file()));
      assert.equal(mode & 0o777, 0o600);
    });
  }
});
