import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Requests } from '../../../src/work/requests';
import type { ConnectionEvent, WireDirection } from '../../../src/wire/wireEvent';
import { anyOf } from '../../support/anyJson';
import { column } from '../../support/columns';
import { McpWire as Wire } from '../../support/mcpWire';

const id = fc.oneof(fc.constantFrom<unknown>(1, '1', 2, null, 1.5, -0), fc.jsonValue());
const method = fc.constantFrom(
  ...['initialize', 'server/discover', 'tools/call', 'tools/list', 'logging/setLevel', '__proto__'],
  ...['sampling/createMessage', 'elicitation/create', 'roots/list'],
  ...['message', 'progress', 'cancelled', 'tasks', 'tasks/status'].map((name) => `notifications/${name}`),
  ...['tasks/get', 'tasks/result', 'tasks/update', 'tasks/cancel'],
);
const question = { k: { method: 'elicitation/create', params: { message: 'Name?' } } };
/** The fields of a task, for parameters and results. */
const task = {
  ...anyOf('statusMessage', 'ttlMs', 'result', 'error'),
  taskId: fc.oneof(fc.constantFrom('a', 'b'), fc.jsonValue()),
  status: fc.oneof(fc.constantFrom('working', 'input_required', 'completed', 'failed', 'cancelled'), fc.jsonValue()),
  inputRequests: fc.oneof(fc.constant(question), fc.jsonValue()),
};
const fieldsOfParams = {
  ...anyOf('data', 'arguments', 'total', 'message', 'messages', 'requestedSchema'),
  ...{ requestId: id, progressToken: id },
  level: fc.oneof(fc.constant('info'), fc.jsonValue()),
  name: fc.oneof(fc.constant('echo'), fc.jsonValue()),
  progress: fc.oneof(fc.integer(), fc.jsonValue()),
  inputResponses: fc.oneof(fc.constant({ k: { action: 'accept' } }), fc.jsonValue()),
  ...task,
  _meta: fc.oneof(fc.record({ progressToken: id }), fc.jsonValue()),
};
const params = fc.oneof(fc.record(fieldsOfParams, { requiredKeys: [] }), fc.jsonValue());
const fieldsOfResult = {
  ...anyOf('protocolVersion', 'capabilities', 'supportedVersions', 'content', 'isError'),
  task: fc.oneof(fc.record(task, { requiredKeys: ['taskId'] }), fc.jsonValue()),
  resultType: fc.constantFrom('complete', 'input_required', 'task'),
  ...task,
};
const result = fc.oneof(fc.record(fieldsOfResult, { requiredKeys: [] }), fc.jsonValue());
const message = fc.oneof(
  fc.record({ id, method, params }, { requiredKeys: [] }),
  fc.record({ method, params }),
  fc.record({ id, result }),
  fc.record({ id, error: fc.oneof(fc.record({ code: fc.integer(), message: fc.string() }), fc.jsonValue()) }),
  fc.jsonValue(),
);

describe('MCP interpreter: properties', () => {
  it('reads any sequence of messages without throwing, and leaves nothing open at the end', () => {
    const line = fc.oneof(message, fc.array(message, { maxLength: 3 }));
    const texts = { method: fc.string(), message: fc.string() };
    const event = fc.oneof(
      fc.record({ ev: fc.constant('http' as const), ...texts, requestId: fc.constantFrom(1, '1') }),
      fc.record({ ev: fc.constant('stream-close' as const), cancels: fc.constantFrom(1, 2) }),
    );
    const step = fc.oneof(
      { weight: 9, arbitrary: fc.tuple(fc.constantFrom<WireDirection>('c2a', 'a2c'), line) },
      { weight: 1, arbitrary: fc.tuple(fc.constant('ev' as const), event) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const wire = new Wire();
        for (const [dir, what] of steps) {
          if (dir === 'ev') wire.accept({ t: 1, dir, ...(what as ConnectionEvent) });
          else wire.send(dir, what);
        }
        assert.deepEqual([wire.exit().open, wire.log.sessions], [[], []]);
      }),
      { numRuns: 500 },
    );
  });

  it("keeps some of every line that isn't part of another record", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (msg) => {
        assert.ok(new Wire().send('a2c', msg).lines.length > 0 || (msg as { id?: unknown } | null)?.id !== undefined);
      }),
    );
  });

  it('keeps at most a thousand requests open, even if none is ever answered', () => {
    const wire = new Wire();
    for (let i = 0; i < 3000; i++) wire.call(i, 'a', i);
    assert.equal(wire.log.requests.length, 1000);
    assert.equal(wire.log.requests[0]?.id, 2000);
    wire.progress({ progressToken: 5, progress: 1 }).progress({ progressToken: 2500, progress: 1 });
    const known = wire.log.requests.filter(({ progress }) => progress);
    assert.deepEqual(column(known, 'id'), [2500]);
  });
});

describe('MCP requests', () => {
  it('remembers only the newest closed requests', () => {
    const requests = new Requests();
    for (let i = 0; i < 1000; i++) {
      requests.add({ id: i, method: 'ping', direction: 'out', startedAt: 0, progressToken: i });
      requests.answer('a2c', i, 0);
    }
    assert.equal(requests.closedBefore('out', 499), undefined);
    assert.equal(requests.closedBefore('out', 500)?.how, 'answered');
    assert.equal(requests.closedByToken('a2c', 499), undefined);
    assert.equal(requests.closedByToken('a2c', '999')?.request.id, 999);
  });
});
