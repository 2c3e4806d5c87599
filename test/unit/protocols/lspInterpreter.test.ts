import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LspReader } from '../../../src/protocols/lsp/lspReader';
import { workId, workTokenOf } from '../../../src/protocols/lsp/workProgress';
import type { WireDirection } from '../../../src/wire/wireEvent';
import { anyOf } from '../../support/anyJson';
import { InterpretedWire } from '../../support/interpretedWire';

class Wire extends InterpretedWire {
  constructor() {
    super((context) => new LspReader(context));
  }

  work(token: unknown, value: object): this {
    return this.tell('$/progress', { token, value });
  }
}

describe('LSP interpreter: progress', () => {
  it('is an open request from begin to end', () => {
    const wire = new Wire().work('t', { kind: 'begin', title: 'Indexing', message: 'a', percentage: 5 });
    const about = { id: 'progress "t"', kind: 'work', method: '$/progress', direction: 'out', startedAt: 1 };
    const is = (progress: number, message: string): void =>
      assert.deepEqual(wire.log.requests, [{ ...about, progress: { progress, total: 100, message } }]);
    is(5, 'Indexing: a');
    wire.work('t', { kind: 'report', percentage: 50 });
    is(50, 'Indexing: a');
    wire.work('t', { kind: 'report', message: 'b' });
    is(50, 'Indexing: b');
    wire.work('t', { kind: 'end' });
    assert.deepEqual(wire.open, []);
    assert.deepEqual(wire.lines, ['info [] progress: Indexing: a', 'info [] progress: Indexing: ended after 3 ms']);
  });

  it("has a separate token namespace, which doesn't collide with request IDs", () => {
    const wire = new Wire().ask(1, 'a/b').work(1, { kind: 'begin', title: 'x' });
    assert.equal(wire.log.requests.length, 2);
    for (const token of [1, '1', 'progress 1']) assert.equal(workTokenOf(workId(token)), token);
    for (const id of [1, 'a', 'progress x', 'progress {}']) assert.equal(workTokenOf(id), undefined);
  });

  it('bounds unfinished work, and starts over when a token is reused', () => {
    const wire = new Wire();
    for (let i = 0; i < 500; i++) wire.work(i, { kind: 'begin', title: 'x' });
    assert.equal(wire.log.requests.length, 200);
    wire.work(499, { kind: 'begin', title: 'again' });
    assert.equal(wire.log.requests.length, 200);
    assert.equal(wire.log.requests.at(-1)?.progress?.message, 'again');
  });

  it('logs only a few of thousands of reports', () => {
    const wire = new Wire().work(1, { kind: 'begin', title: 'x' });
    for (let i = 0; i < 5000; i++) wire.work(1, { kind: 'report', message: `file ${i}`, percentage: i / 50 });
    assert.deepEqual(wire.lines.length, 1 + 5);
  });
});

describe('LSP interpreter: the end', () => {
  it('follows shutdown, after which unanswered requests are not errors', () => {
    const wire = new Wire().ask(1, 'x').ask(2, 'shutdown');
    wire.accept({ t: 3, dir: 'ev', ev: 'exit', code: 0, signal: null });
    assert.equal(wire.lines.length, 3);
    for (const line of wire.lines) assert.match(line, /^info /);
  });

  it('reports an unanswered initialize as an error', () => {
    const wire = new Wire().ask(1, 'initialize').exit();
    assert.match(wire.lines.at(-1) ?? '', /^error \[\] initialize: was never answered/);
  });
});

describe('LSP interpreter: properties', () => {
  const id = fc.oneof(fc.constantFrom<unknown>(1, '1', 2, null, 1.5, -0), fc.jsonValue());
  const method = fc.constantFrom(
    ...['initialize', 'shutdown', 'exit', '$/logTrace', '$/setTrace', '$/progress', '$/cancelRequest', '__proto__'],
    ...['logMessage', 'showMessage', 'showMessageRequest'].map((name) => `window/${name}`),
    ...['window/workDoneProgress/create', 'window/workDoneProgress/cancel', 'telemetry/event'],
    ...['workspace/configuration', 'client/registerCapability', 'experimental/serverStatus'],
    ...['textDocument/didOpen', 'textDocument/publishDiagnostics', 'didChangeStatus', 'didChangeStatus/v2'],
  );
  const value = fc.record({
    ...anyOf('title', 'message', 'percentage'),
    kind: fc.constantFrom('begin', 'report', 'end', 1),
  });
  const some = {
    ...anyOf('message', 'actions', 'items', 'registrations', 'textDocument', 'diagnostics', 'statuses', 'kind'),
    ...{ id, token: id },
    type: fc.oneof(fc.integer({ min: 0, max: 6 }), fc.jsonValue()),
    value: fc.oneof(value, fc.jsonValue()),
  };
  const params = fc.oneof(fc.record(some, { requiredKeys: [] }), fc.jsonValue());
  const message = fc.oneof(
    fc.record({ id, method, params }, { requiredKeys: [] }),
    fc.record({ method, params }),
    fc.record({ id, result: fc.jsonValue() }),
    fc.record({ id, error: fc.oneof(fc.record({ code: fc.integer(), message: fc.string() }), fc.jsonValue()) }),
    fc.jsonValue(),
  );

  it('reads any sequence of messages without throwing, and leaves nothing open at the end', () => {
    const step = fc.tuple(fc.constantFrom<WireDirection>('c2a', 'a2c'), message);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const wire = new Wire();
        for (const [dir, msg] of steps) wire.send(dir, msg);
        assert.deepEqual([wire.exit().open, wire.log.sessions], [[], []]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('LSP interpreter: notifications of a server of its own', () => {
  it('are shown at debug if they only tell the client to ask again', () => {
    const wire = new Wire();
    wire.tell('mcpGateway/serversChanged', { a: 1 }).tell('index/report', { files: 5 });
    const lines = ['debug [] mcpGateway/serversChanged: {"a":1}', 'info [] index/report: {"files":5}'];
    assert.deepEqual(wire.lines, lines);
  });
});
