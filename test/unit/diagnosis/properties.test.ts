import assert from 'node:assert/strict';
import fc from 'fast-check';
import { rankOf } from '../../../src/text/level';
import type { Protocol } from '../../../src/wire/protocol';
import type { ProcessEvent, WireDirection } from '../../../src/wire/wireEvent';
import { DiagnosedWire } from '../../support/diagnosedWire';
import { holds } from '../../support/property';

const id = fc.oneof(fc.constantFrom(1, 2, '1', null, 1.5, {}), fc.jsonValue());
const method = fc.constantFrom(
  ...['initialize', 'session/new', 'session/prompt', 'session/update', 'session/cancel', 'session/request_permission'],
  ...['logging/setLevel', 'log', 'tools/call', '$/cancel_request', 'didChangeStatus/v2', '_claude/sdkMessage'],
  ...['notifications/progress', 'notifications/cancelled', 'notifications/message'],
  ...['_auth/status_update', '_qwencode/start_turn', '_qwencode/end_turn'],
);
const update = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      sessionUpdate: fc.constantFrom(
        ...'tool_call tool_call_update agent_message_chunk state_update notice x'.split(' '),
      ),
      toolCallId: fc.constantFrom('1', '2'),
      status: fc.constantFrom('completed', 'failed', 'in_progress', 7),
      state: fc.constantFrom('idle', 'running'),
      rawOutput: fc.jsonValue(),
      content: fc.jsonValue(),
      error: fc.jsonValue(),
      _meta: fc.oneof(
        fc.jsonValue(),
        fc.record({ codex: fc.record({ error: fc.jsonValue(), threadStatus: fc.jsonValue() }) }),
      ),
    },
    { requiredKeys: [] },
  ),
);
const params = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      sessionId: fc.constantFrom('a', 'b', 7),
      update,
      requestId: id,
      progressToken: id,
      _meta: fc.jsonValue(),
      prompt: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
);
const result = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      stopReason: fc.constantFrom('end_turn', 'refusal', 1),
      sessionId: fc.constantFrom('a', 'b'),
      protocolVersion: id,
      authMethods: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
);
const message = fc.oneof(
  fc.record({ jsonrpc: fc.constant('2.0'), id, method, params }, { requiredKeys: [] }),
  fc.record({ id, result, error: fc.jsonValue() }, { requiredKeys: [] }),
  fc.jsonValue(),
  fc.array(fc.jsonValue()),
);
const process = fc.constantFrom<ProcessEvent>(
  { ev: 'stdin-close' },
  { ev: 'stdout-close' },
  { ev: 'signal', signal: 'SIGTERM' },
  { ev: 'exit', code: 1, signal: null },
  { ev: 'start-failed', message: 'spawn x ENOENT' },
);
type Step = (wire: DiagnosedWire) => unknown;
const stepOf = <T>(value: fc.Arbitrary<T>, take: (wire: DiagnosedWire, value: T) => unknown): fc.Arbitrary<Step> =>
  value.map((one) => (wire) => take(wire, one));
const step = fc.oneof(
  stepOf(fc.tuple(fc.constantFrom<WireDirection>('c2a', 'a2c'), message), (wire, [dir, msg]) => wire.send(dir, msg)),
  stepOf(fc.string(), (wire, line) => wire.stdout(line)),
  stepOf(fc.string(), (wire, line) => wire.stderr(`ERROR ${line}`)),
  stepOf(process, (wire, event) => wire.process(event)),
  stepOf(fc.integer({ min: -1000, max: 1e7 }), (wire, ms) => wire.quiet(ms)),
);

describe('diagnosis: properties', () => {
  for (const protocol of ['acp', 'mcp', 'lsp', 'stream-json'] as const satisfies readonly Protocol[]) {
    holds(
      `reads any events of ${protocol} in any order without throwing, and gives each finding a code and a count`,
      30,
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const wire = new DiagnosedWire(protocol);
        for (const take of steps) take(wire);
        for (const record of wire.log.store.query({ kinds: ['diagnosis'] })) {
          assert.ok(rankOf(record.level) < 8);
          assert.ok(record.message.length < 2000);
        }
        for (const { count, code, since } of wire.data) {
          assert.ok(count >= 1 && code.length > 0 && Number.isFinite(since));
        }
      }),
    );
  }

  it('uses little memory, whatever an agent sends', () => {
    const wire = DiagnosedWire.withSession();
    for (let i = 0; i < 3000; i++) {
      const update = { sessionUpdate: 'tool_call', toolCallId: `t${i}`, title: 't'.repeat(500), status: 'failed' };
      wire.says({ method: 'session/update', params: { sessionId: `s${i}`, update } });
      wire.says({ id: i, method: `own/${i}` });
      wire.says({ id: 1e6 + i, result: {} });
    }
    assert.ok(wire.codes.length < 400, `${wire.codes.length}`);
  });
});
