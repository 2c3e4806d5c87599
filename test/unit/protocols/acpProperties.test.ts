import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { WireDirection } from '../../../src/wire/wireEvent';
import { AcpWire as Wire } from '../../support/acpWire';

describe('ACP interpreter: properties', () => {
  it('reads any sequence of messages without throwing', () => {
    const id = fc.oneof(fc.constantFrom(1, '1', null, 1.5), fc.jsonValue());
    const method = fc.constantFrom(
      'session/update',
      'session/prompt',
      'session/request_permission',
      'log',
      'initialize',
      '$/cancel_request',
      '_x',
    );
    const params = fc.oneof(
      fc.record({
        sessionId: fc.constantFrom('a', 'b'),
        update: fc.jsonValue(),
        toolCall: fc.jsonValue(),
        options: fc.jsonValue(),
        requestId: id,
      }),
      fc.record({
        sessionId: fc.constant('a'),
        update: fc.record({
          sessionUpdate: fc.constantFrom('plan', 'tool_call', 'notice', 'agent_message_chunk', 'x'),
          content: fc.jsonValue(),
          entries: fc.jsonValue(),
        }),
      }),
      fc.jsonValue(),
    );
    const message = fc.oneof(
      fc.record({ id, method, params }, { requiredKeys: [] }),
      fc.record({ id, result: fc.jsonValue(), error: fc.jsonValue() }, { requiredKeys: [] }),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom<WireDirection>('c2a', 'a2c'), message)), (messages) => {
        const wire = new Wire();
        for (const [dir, msg] of messages) wire.send(dir, msg);
        wire.exit();
        assert.deepEqual(wire.log.requests, []);
      }),
      { numRuns: 500 },
    );
  });
});
