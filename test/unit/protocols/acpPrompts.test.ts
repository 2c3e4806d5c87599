import assert from 'node:assert/strict';
import { AcpWire } from '../../support/acpWire';

const idle = { sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' };

/** A run that speaks version 2, with a prompt. */
function prompted(): AcpWire {
  const wire = new AcpWire();
  wire.send('c2a', { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 2 } });
  wire.send('a2c', { jsonrpc: '2.0', id: 1, result: { protocolVersion: 2 } });
  prompt(wire, 2);
  return wire;
}

function prompt(wire: AcpWire, id: number, idempotencyKey?: string): void {
  const params = { sessionId: 'session-1', prompt: [{ type: 'text', text: 'do it' }], idempotencyKey };
  wire.send('c2a', { jsonrpc: '2.0', id, method: 'session/prompt', params });
}

function accept(wire: AcpWire, id: number, messageId = `m${id}`): void {
  wire.send('a2c', { jsonrpc: '2.0', id, result: { messageId } });
}

function outcomes(wire: AcpWire): unknown[] {
  const turns = wire.log.spans().filter(({ kind }) => kind === 'turn');
  return turns.map(({ outcome }) => outcome);
}

describe('ACP interpreter: prompts', () => {
  it('reports the turn that an agent runs for a prompt which was sent again', () => {
    const wire = new AcpWire();
    for (const id of [1, 2]) {
      prompt(wire, id, 'key');
      accept(wire, id, 'm');
      wire.update({ sessionUpdate: 'state_update', state: 'running' }).update(idle);
    }
    assert.deepEqual(
      wire.lines.slice(4).map((line) => line.replace(/\d+ ms/, '… ms')),
      [
        'info [session-1] prompt: sent again: do it',
        'debug [session-1] turn: accepted before: a retry',
        'debug [session-1] turn: running',
        'info [session-1] turn: ended after … ms: end_turn',
      ],
    );
  });

  it('lets a turn go on if only a prompt that waits for its end is cancelled', () => {
    const wire = prompted();
    accept(wire, 2);
    prompt(wire, 3);
    wire.send('c2a', { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 3 } });
    wire.send('a2c', { jsonrpc: '2.0', id: 3, error: { code: -32800, message: 'cancelled' } });
    wire.update(idle);
    assert.deepEqual(outcomes(wire), ['ok']);
  });

  it('starts no turn for a prompt that steered the turn before it', () => {
    const wire = prompted();
    accept(wire, 2);
    prompt(wire, 3);
    wire.update({ sessionUpdate: 'user_message', messageId: 'm3', content: [{ type: 'text', text: 'do it' }] });
    wire.update(idle);
    accept(wire, 3);
    assert.deepEqual(outcomes(wire), ['ok']);
  });
});
