import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBodies } from '../../../../src/past/files/wireBodies';
import type { WireEvent } from '../../../../src/wire/wireEvent';
import { journalLine } from '../../../../src/wire/journal/journalLine';
import { runFiles } from '../../../support/runFiles';
import { entriesOf, line, readLog, startedAt } from '../../../support/wireRows';

describe('request bodies', () => {
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'agent-logs-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  async function journalOf(events: readonly WireEvent[], name = 'run.ndjson'): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, `${events.map((event) => journalLine(event, startedAt)).join('\n')}\n`);
    return path;
  }

  it('are found in a large journal by their times', async () => {
    const events = Array.from({ length: 4000 }, (_, id) => [
      line(id * 10, 'c2a', { id, method: 'session/list', params: { padding: 'x'.repeat(300), number: id } }),
      line(id * 10 + 4, 'a2c', { id, result: { sessions: [], number: id } }),
    ]).flat();
    const path = await journalOf(events);
    const { wire } = readLog(events);
    for (const row of [0, 1, 2000, 3999]) {
      const { message, answer } = await readBodies(runFiles([path]), wire.get(row)!, 0);
      assert.match(message ?? '', new RegExp(`"number":${row}\\b`));
      assert.deepEqual(JSON.parse(answer ?? ''), { jsonrpc: '2.0', id: row, result: { sessions: [], number: row } });
    }
  });

  it('are distinguished within one millisecond, and found in the second file and in a batch', async () => {
    const update = (number: number): WireEvent =>
      line(5, 'a2c', { method: 'session/update', params: { sessionId: 's', update: {}, number } });
    const batch = batchOf([
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { jsonrpc: '2.0', id: 2, method: 'ping' },
    ]);
    const events = [update(1), update(2), update(3)];
    const paths = [await journalOf([], 'first.ndjson'), await journalOf([...events, batch], 'second.ndjson')];
    const { wire } = readLog(events);
    for (const entry of entriesOf(wire)) {
      const { message } = await readBodies(runFiles(paths), entry, wire.rankAmongTwins(entry));
      assert.match(message ?? '', new RegExp(`"number":${entry.row + 1}`));
    }
    const { wire: batched } = readLog([batch], 'mcp');
    assert.deepEqual(JSON.parse((await readBodies(runFiles(paths), batched.get(1)!, 0)).message ?? ''), {
      jsonrpc: '2.0',
      id: 2,
      method: 'ping',
    });
  });

  it('are distinguished within one millisecond by their order, whatever their lengths', async () => {
    const update = (text: string): WireEvent =>
      line(5, 'a2c', { method: 'session/update', params: { sessionId: 's', update: {}, text } });
    const events = [update('a'), update('bb'), update('ccc'), update('dd')];
    const path = await journalOf(events, 'lengths.ndjson');
    const { wire } = readLog(events);
    for (const entry of entriesOf(wire)) {
      const { message } = await readBodies(runFiles([path]), entry, wire.rankAmongTwins(entry));
      assert.equal(message, (events[entry.row] as { line: string }).line);
    }
  });

  it('are found for the methods that the list no longer names, and for long methods and IDs', async () => {
    const long = 'x'.repeat(1000);
    const events = [
      ...Array.from({ length: 2100 }, (_, n) => line(n, 'c2a', { method: `method-${n}`, params: { n } })),
      line(2100, 'a2c', { id: 7, method: 'late/request', params: {} }),
      line(2100, 'a2c', { method: 'late/first', params: {} }),
      line(2100, 'a2c', { method: 'late/second', params: {} }),
      line(2101, 'c2a', { id: long, method: `${long}/method`, params: {} }),
      line(2102, 'a2c', { id: long, result: {} }),
    ];
    const path = await journalOf(events, 'names.ndjson');
    const { wire } = readLog(events);
    for (const row of [2050, 2100, 2101, 2102, 2103]) {
      const entry = wire.get(row)!;
      const { message } = await readBodies(runFiles([path]), entry, wire.rankAmongTwins(entry));
      assert.equal(message, (events[row] as { line: string }).line);
    }
    const { answer } = await readBodies(runFiles([path]), wire.get(2103)!, 0);
    assert.deepEqual(JSON.parse(answer ?? ''), { jsonrpc: '2.0', id: long, result: {} });
    const early = [line(0, 'c2a', { id: 1, method: `${long}/method`, params: {} })];
    const { message } = await readBodies(
      runFiles([await journalOf(early, 'early.ndjson')]),
      readLog(early).wire.get(0)!,
      0,
    );
    assert.equal(message, (early[0] as { line: string }).line);
  });

  it('are absent if no file has them', async () => {
    const events = [line(0, 'c2a', { id: 1, method: 'initialize', params: {} })];
    const path = await journalOf([line(0, 'c2a', { id: 2, method: 'initialize', params: {} })], 'other.ndjson');
    assert.deepEqual(await readBodies(runFiles([path, join(folder, 'missing')]), readLog(events).wire.get(0)!, 0), {});
  });
});

function batchOf(messages: readonly object[]): WireEvent {
  const text = JSON.stringify(messages);
  return { t: startedAt + 9, dir: 'c2a', line: text, msg: messages };
}
