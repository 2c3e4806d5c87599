import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { readBodies } from '../../../../src/past/files/wireBodies';
import type { WireEvent } from '../../../../src/wire/wireEvent';
import { journalLine } from '../../../../src/wire/journal/journalLine';
import { runFiles } from '../../../support/runFiles';
import { useFolder } from '../../../support/tempFolder';
import { entriesOf, line, readLog, startedAt } from '../../../support/wireRows';

describe('request bodies', () => {
  const folder = useFolder();

  function journalOf(events: readonly WireEvent[], name = 'run.ndjson'): string {
    writeFileSync(folder.in(name), `${events.map((event) => journalLine(event, startedAt)).join('\n')}\n`);
    return folder.in(name);
  }

  /** The rows of these events, or some of them, have their messages in files. */
  async function areFound(events: readonly WireEvent[], files: readonly string[], some?: readonly number[]) {
    const { wire } = readLog(events);
    for (const row of some ?? Array.from(entriesOf(wire).keys())) {
      const entry = wire.get(row)!;
      const { message } = await readBodies(runFiles(files), entry, wire.rankAmongTwins(entry));
      assert.equal(message, (events[row] as { line: string }).line);
    }
  }

  it('are found in a large journal by their times', async () => {
    const events = Array.from({ length: 4000 }, (_, id) => [
      line(id * 10, 'c2a', { id, method: 'session/list', params: { padding: 'x'.repeat(300), number: id } }),
      line(id * 10 + 4, 'a2c', { id, result: { sessions: [], number: id } }),
    ]).flat();
    const path = journalOf(events);
    const { wire } = readLog(events);
    for (const row of [0, 1, 2000, 3999]) {
      const { message, answer } = await readBodies(runFiles([path]), wire.get(row)!, 0);
      assert.match(message ?? '', new RegExp(`"number":${row}\\b`));
      assert.deepEqual(JSON.parse(answer ?? ''), { jsonrpc: '2.0', id: row, result: { sessions: [], number: row } });
    }
  });

  const update = (fields: object): WireEvent =>
    line(5, 'a2c', { method: 'session/update', params: { sessionId: 's', update: {}, ...fields } });

  it('are distinguished within one millisecond, and found in the second file and in a batch', async () => {
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
    const msg = [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }, ping];
    const batch: WireEvent = { t: startedAt + 9, dir: 'c2a', line: JSON.stringify(msg), msg };
    const events = [1, 2, 3].map((number) => update({ number }));
    const paths = [journalOf([], 'first.ndjson'), journalOf([...events, batch], 'second.ndjson')];
    await areFound(events, paths);
    const { message = '' } = await readBodies(runFiles(paths), readLog([batch], 'mcp').wire.get(1)!, 0);
    assert.deepEqual(JSON.parse(message), ping);
  });

  it('are distinguished within one millisecond by their order, whatever their lengths', async () => {
    const events = ['a', 'bb', 'ccc', 'dd'].map((text) => update({ text }));
    await areFound(events, [journalOf(events)]);
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
    const path = journalOf(events);
    await areFound(events, [path], [2050, 2100, 2101, 2102, 2103]);
    const { answer } = await readBodies(runFiles([path]), readLog(events).wire.get(2103)!, 0);
    assert.deepEqual(JSON.parse(answer ?? ''), { jsonrpc: '2.0', id: long, result: {} });
    const early = [line(0, 'c2a', { id: 1, method: `${long}/method`, params: {} })];
    await areFound(early, [journalOf(early)]);
  });

  it('are absent if no file has them', async () => {
    const [entry, other] = [1, 2].map((id) => line(0, 'c2a', { id, method: 'initialize', params: {} }));
    const files = runFiles([journalOf([other!]), folder.in('missing')]);
    assert.deepEqual(await readBodies(files, readLog([entry!]).wire.get(0)!, 0), {});
  });
});
