import assert from 'node:assert/strict';
import { WireIndex } from '../../../../src/runLog/wire/wireIndex';
import { pageRows } from '../../../../src/runLog/wire/wirePage';
import type { Fact } from '../../../../src/work/facts';
import { column, rowsOf } from '../../../support/columns';
import { entriesOf, line, readLog, startedAt } from '../../../support/wireRows';

describe('wire index', () => {
  it('pairs a request with its response', () => {
    const request = line(100, 'c2a', { id: 7, method: 'session/new', params: {} });
    const answer = line(350, 'a2c', { id: 7, result: { sessionId: 'sess-0123456789' } });
    const log = readLog([request, answer]);
    const [entry, ...rest] = entriesOf(log.wire);
    assert.deepEqual(rest, []);
    const { id, row, at, kind, direction, method, status, took, size, answerSize, sessionId } = entry!;
    assert.deepEqual(
      [id, row, at, kind, direction, method],
      ['7', 0, startedAt + 100, 'request', 'out', 'session/new'],
    );
    assert.deepEqual(
      [status, took, sessionId, entry?.carried, entry?.code],
      ['ok', 250, 'sess-0123456789', '', undefined],
    );
    assert.deepEqual(
      [size, answerSize],
      [request, answer].map((one) => Buffer.byteLength(one.line)),
    );
  });

  it('finds the message or the answer that made a record, or what came before a problem', () => {
    const { wire, store } = readLog([
      line(0, 'c2a', { id: 1, method: 'initialize', params: {} }),
      line(10, 'a2c', { id: 1, result: { protocolVersion: 1 } }),
      line(20, 'c2a', { id: 2, method: 'session/new', params: {} }),
      line(30, 'a2c', { method: 'odd/note', params: {} }),
      line(40, 'a2c', { id: 2, error: { code: -32000, message: 'Out of memory' } }),
    ]);
    const entries = entriesOf(wire);
    const rowOf = (message: RegExp): string | undefined => {
      const record = [1, 2, 3, 4, 5].flatMap((seq) => store.get(seq) ?? []).find((one) => message.test(one.message));
      return record && entries[wire.rowOf(record.seq, record.kind !== 'diagnosis') ?? -1]?.method;
    };
    assert.deepEqual(column(entries, 'method'), ['initialize', 'session/new', 'odd/note']);
    assert.equal(rowOf(/^initialized/), 'initialize');
    assert.equal(rowOf(/^Unknown method/), 'odd/note');
    assert.equal(rowOf(/^failed after/), 'session/new');
    assert.equal(rowOf(/^`session.new` failed/), 'session/new');
    assert.equal(new WireIndex().rowOf(1, true), undefined);
  });

  it('has unanswered requests', () => {
    const log = readLog([
      line(0, 'c2a', { id: 1, method: 'initialize', params: {} }),
      line(5, 'a2c', { id: 1, error: { code: -32601, message: 'no' } }),
      line(10, 'a2c', { id: 'ask-1', method: 'fs/read_text_file', params: { path: 'a' } }),
      line(30, 'c2a', { id: 3, method: 'session/new', params: {} }),
      { t: startedAt + 40, dir: 'ev', ev: 'exit', code: 1, signal: null },
    ]);
    const rows = rowsOf(entriesOf(log.wire), 'kind', 'direction', 'id', 'method', 'status', 'code', 'took');
    assert.deepEqual(rows, [
      'request out 1 initialize error -32601 5',
      'request in ask-1 fs/read_text_file unanswered - 30',
      'request out 3 session/new unanswered - 10',
    ]);
  });

  it('has cancelled requests', () => {
    const call = line(20, 'c2a', { id: 2, method: 'tools/call', params: { name: 'slow' } });
    const cancel = line(25, 'c2a', { method: 'notifications/cancelled', params: { requestId: 2 } });
    const rows = rowsOf(entriesOf(readLog([call, cancel], 'mcp').wire), 'method', 'status', 'took');
    assert.deepEqual(rows, ['tools/call cancelled 5', 'notifications/cancelled none -']);
  });

  it('has failed HTTP exchanges and the events of an agent’s stream', () => {
    const refusal = { method: 'POST', status: 503, message: 'busy', requestId: 4 };
    const http = readLog([{ t: startedAt, dir: 'ev', ev: 'http', ...refusal }], 'mcp');
    assert.deepEqual(rowsOf(entriesOf(http.wire), 'kind', 'method', 'code', 'id'), ['http POST 503 4']);
    const stream = readLog([line(0, 'a2c', { type: 'system', subtype: 'init', session_id: 's' })], 'stream-json');
    assert.deepEqual(rowsOf(entriesOf(stream.wire), 'kind', 'method'), ['notification system/init']);
  });

  it('knows what messages are about', () => {
    const sessionId = 'sess-0123456789';
    const update = (ms: number, fields: object) =>
      line(ms, 'a2c', { method: 'session/update', params: { sessionId, update: fields } });
    const prompt = [{ type: 'text', text: `Go.\n${'x'.repeat(500)}` }];
    const { wire } = readLog([
      line(0, 'c2a', { id: 1, method: 'session/new', params: { cwd: '/work' } }),
      line(1, 'a2c', { id: 1, result: { sessionId } }),
      line(2, 'c2a', { id: 2, method: 'session/prompt', params: { sessionId, prompt } }),
      update(3, { sessionUpdate: 'tool_call', toolCallId: 'a', title: 'Read README.md', status: 'pending' }),
      update(4, { sessionUpdate: 'tool_call_update', toolCallId: 'a', status: 'completed' }),
      update(5, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Hello' } }),
      line(6, 'a2c', { id: 'r', method: 'fs/read_text_file', params: { sessionId, path: '/work/a.txt' } }),
      line(7, 'a2c', { id: 's', method: 'terminal/create', params: { sessionId, command: 'npm', args: ['test'] } }),
    ]);
    const shown = (text: string): string => (text.length > 80 ? text.slice(0, 6) : text);
    assert.deepEqual(
      entriesOf(wire).map(({ method, carried }) => `${method} · ${shown(carried)}`),
      [
        'session/new · /work',
        'session/prompt · Go. xx',
        'session/update · tool_call Read README.md',
        'session/update · tool_call_update Read README.md (completed)',
        'session/update · agent_message_chunk',
        'fs/read_text_file · /work/a.txt',
        'terminal/create · npm test',
      ],
    );
    const call = line(0, 'c2a', { id: 1, method: 'tools/call', params: { name: 'search', arguments: {} } });
    const { wire: mcp } = readLog([call], 'mcp');
    assert.equal(entriesOf(mcp)[0]?.carried, 'search');
    const item = { type: 'command_execution', command: 'npm test' };
    const { wire: stream } = readLog([line(0, 'a2c', { type: 'item.started', item })], 'stream-json');
    assert.equal(entriesOf(stream)[0]?.carried, 'command_execution npm test');
  });

  it('drops the oldest rows above the memory limit, and counts them', () => {
    const index = new WireIndex(undefined, 200_000);
    for (let id = 0; id < 10_000; id++) see(index, id);
    assert.ok(index.bytes <= 200_000 + 2000, `${index.bytes} bytes`);
    assert.equal(index.dropped % pageRows, 0);
    assert.equal(index.count + index.dropped, 10_000);
    assert.equal(index.get(index.dropped - 1), undefined);
    assert.equal(entriesOf(index)[0]?.id, String(index.dropped));
  });

  it('uses at most 7 MB for a million messages, and keeps more than 150,000 requests', () => {
    const index = new WireIndex();
    for (let id = 0; id < 500_000; id++) see(index, id);
    assert.ok(index.bytes <= 7 * 1024 * 1024, `${index.bytes} bytes`);
    assert.ok(index.count > 150_000);
  });

  it('bounds the method names', () => {
    const index = new WireIndex();
    for (let id = 0; id < 5000; id++) see(index, id, `method-${id}`);
    assert.ok(index.methods.all.length <= 2001);
    assert.equal(index.get(4999)?.method, '…');
  });

  it('keeps only open requests when the log is cleared', () => {
    const log = readLog([
      line(0, 'c2a', { id: 1, method: 'initialize', params: {} }),
      line(1, 'a2c', { id: 1, result: {} }),
      line(2, 'c2a', { id: 2, method: 'session/new', params: {} }),
    ]);
    log.clear();
    assert.deepEqual(column(entriesOf(log.wire), 'id'), ['2']);
  });
});

function see(index: WireIndex, id: number, method = 'tools/call'): void {
  const event = line(id, 'c2a', {});
  const request = { id, method, direction: 'out', startedAt: event.t } as const;
  const about = { event, msg: {}, params: {}, isIdInUse: false };
  index.see({ type: 'request', dir: 'c2a', request, ...about } satisfies Fact, id);
  const answer = { event, msg: {}, id, late: undefined, result: {}, error: undefined, sessionId: undefined };
  index.see({ type: 'response', dir: 'a2c', request, ...answer } satisfies Fact, id);
}
