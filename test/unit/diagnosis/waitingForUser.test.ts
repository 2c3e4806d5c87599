import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';

const minute = 60_000;

function asking(): DiagnosedWire {
  const toolCall = { toolCallId: '1', title: 'npm publish', kind: 'execute' };
  const params = { sessionId: 'session-1', toolCall, options: [] };
  return DiagnosedWire.withSession().prompt().asks(7, 'session/request_permission', params);
}

function answer(wire: DiagnosedWire): DiagnosedWire {
  return wire.reply(7, { outcome: { outcome: 'selected', optionId: 'a' } });
}

function pass(wire: DiagnosedWire, minutes: number): DiagnosedWire {
  for (let i = 0; i < minutes; i++) wire.quiet(minute);
  return wire;
}

describe('diagnosis: questions that wait for the user', () => {
  it('are mentioned after 5 min, a problem after 20, and settled by the answer', () => {
    const wire = pass(asking(), 25);
    assert.deepEqual(wire.said, [
      'notice [session-1] waiting-for-user: Waiting for you for 5 min: permission for npm publish.',
      'warning [session-1] waiting-for-user: Waiting for you for 20 min: permission for npm publish. Answer it, or cancel the turn.',
    ]);
    assert.equal(wire.log.find('session-1')?.worst, 'warning');
    assert.match(wire.summary('session-1'), /^waiting for you for 25 min 0 s: permission for npm publish/);
    assert.match(answer(wire).said[2] ?? '', /^notice \[session-1\] waiting-for-user: Answered after 25 min/);
    assert.equal(wire.log.find('session-1')?.summary?.worst, undefined);
    assert.notEqual(wire.log.find('session-1')?.worst, 'warning');
  });

  it('are watched until they are a problem', () => {
    const wire = asking();
    assert.equal(wire.diagnoser.isWaiting, true);
    assert.equal(pass(wire, 25).diagnoser.isWaiting, false);
  });

  it('are settled by an answer that is read later, too', () => {
    const wire = answer(asking().wait(40 * minute));
    assert.deepEqual(wire.codes, ['waiting-for-user warning', 'waiting-for-user notice']);
    assert.notEqual(wire.log.find('session-1')?.worst, 'warning');
    assert.deepEqual(answer(asking().wait(4 * minute)).codes, []);
  });

  it('remain a problem if the agent stops waiting', () => {
    const wire = pass(asking(), 25).says({ method: '$/cancel_request', params: { requestId: 7 } });
    wire.chunk('Nobody answered.').end();
    assert.equal(wire.log.find('session-1')?.worst, 'warning');
  });

  it('may be those of an MCP server', () => {
    const wire = new DiagnosedWire('mcp').ask('initialize', {}, { protocolVersion: '2025-11-25', capabilities: {} });
    wire.says({ id: 3, method: 'elicitation/create', params: { message: 'Which?', requestedSchema: {} } });
    const waiting = pass(wire, 22).codes.filter((code) => code.startsWith('waiting'));
    assert.deepEqual(waiting, ['waiting-for-user notice', 'waiting-for-user warning']);
    wire.reply(3, { action: 'decline' });
    assert.match(wire.said.at(-1) ?? '', /Answered after 22 min/);
  });
});
