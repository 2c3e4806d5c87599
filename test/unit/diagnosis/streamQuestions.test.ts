import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';

const session_id = 's1';
const minute = 60_000;
const init = { type: 'system', subtype: 'init', session_id };
const tool = (id: string): object => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'npm test' } });
const says = (...content: object[]): object => ({ type: 'assistant', session_id, message: { content } });
const ended = (id: string): object => ({
  type: 'user',
  session_id,
  message: { content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
});
const asks = (request_id: string, tool_use_id: string, subtype = 'can_use_tool'): object => ({
  type: 'control_request',
  request_id,
  request: { subtype, tool_use_id },
});

function wireOf(...lines: object[]): DiagnosedWire {
  const wire = new DiagnosedWire('stream-json');
  for (const line of lines) wire.send('a2c', line);
  return wire;
}

describe("diagnosis: questions in an agent's stream", () => {
  it("are settled by the tool's result, whoever answered", () => {
    const wire = wireOf(init, says(tool('t1')), asks('p1', 't1'), ended('t1'));
    assert.equal(wire.summary(session_id), 'waiting for the model');
    assert.deepEqual(wire.quiet(6 * minute).codes, ['silence warning']);
    const two = wireOf(init, says(tool('t1'), tool('t2')), asks('p1', 't1'), asks('p2', 't2'), ended('t1'));
    assert.equal(two.summary(session_id), 'waiting for you: permission for Bash: npm test');
    assert.deepEqual(two.quiet(30 * minute).codes, ['waiting-for-user warning']);
    assert.equal(two.send('a2c', ended('t2')).summary(session_id), 'waiting for the model');
  });

  it('do not count as running time of the tool', () => {
    const wire = wireOf(init, says(tool('t1')), asks('p1', 't1')).wait(10 * minute);
    wire.send('c2a', { type: 'control_response', response: { subtype: 'success', request_id: 'p1' } }).wait(2000);
    assert.equal(wire.summary(session_id), 'running for 2.0 s: Bash: npm test');
  });

  it('may be about something other than permission', () => {
    for (const subtype of ['elicitation', 'request_user_dialog']) {
      const wire = wireOf(init, says(tool('t1')), asks('e1', 't1', subtype)).quiet(4 * minute);
      assert.deepEqual(
        [wire.summary(session_id), wire.codes],
        ['waiting for you for 4 min 0 s: an answer to “Bash: npm test”', []],
      );
    }
    const hook = wireOf(init, says(tool('t1')), asks('h1', 't1', 'hook_callback'));
    assert.equal(hook.summary(session_id), 'running: Bash: npm test');
    const acp = DiagnosedWire.withSession().prompt();
    acp.says({ id: 5, method: 'elicitation/create', params: { sessionId: 'session-1', message: 'Which?' } });
    assert.equal(acp.summary('session-1'), 'waiting for you: an answer to “Which?”');
  });
});
