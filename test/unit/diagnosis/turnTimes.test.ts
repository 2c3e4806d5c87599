import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';

const session_id = 's1';
const init = { type: 'system', subtype: 'init', session_id };
const failed = { type: 'result', subtype: 'error_during_execution', session_id, is_error: true, errors: ['boom'] };

/** Lines read at the same time, like those already in a file when it is opened. */
function atOnce(...lines: object[]): DiagnosedWire {
  const wire = new DiagnosedWire('stream-json');
  for (const msg of lines) wire.accept({ t: 1, dir: 'a2c', line: JSON.stringify(msg), msg });
  return wire;
}

describe('diagnosis: the duration of a turn', () => {
  it('is what the agent reports if the lines are read at once, or unknown', () => {
    const told = { ...failed, duration_ms: 65_000 };
    assert.equal(atOnce(init, failed).summary(session_id), 'Turn failed: boom');
    assert.equal(atOnce(init, told).summary(session_id), 'Turn failed: boom');
    const done = { type: 'result', subtype: 'success', session_id, result: '' };
    assert.match(atOnce(init, done).said.join(), /empty-turn: Empty turn: no output/);
    assert.equal(atOnce(init, { ...done, result: 'Yes.' }).summary(session_id), 'turn ended');
    const aborted = { ...failed, terminal_reason: 'aborted_tools' };
    assert.equal(atOnce(init, aborted).summary(session_id), 'turn cancelled');
  });

  it('is the difference of the times of the lines', () => {
    const step = (type: string, timestamp: number, part: object): object => ({
      type,
      timestamp,
      sessionID: 's1',
      part,
    });
    const wire = atOnce(
      step('step_start', 1_795_174_510_000, {}),
      step('text', 1_795_174_511_000, { text: 'Yes.' }),
      step('step_finish', 1_795_174_514_000, { reason: 'stop' }),
    );
    assert.equal(wire.summary(session_id), 'turn ended after 4.0 s');
  });

  it('is not the age of the file that it started in', () => {
    const grown = (end: object): string => {
      const wire = atOnce(init).wait(3_600_000);
      wire.diagnoser.resume(3_600_000);
      return wire.send('a2c', end).summary(session_id);
    };
    assert.equal(grown(failed), 'Turn failed: boom');
    assert.equal(grown({ ...failed, duration_ms: 9000 }), 'Turn failed: boom');
    const left = atOnce(init).process({ ev: 'exit', code: 0, signal: null });
    assert.match(left.said.join(), /Turn never finished: the agent ended without a result/);
  });

  it('is unknown if the clock was set back', () => {
    const wire = new DiagnosedWire('stream-json').wait(60_000).send('a2c', init).wait(-30_000);
    assert.equal(wire.send('a2c', failed).summary(session_id), 'Turn failed: boom');
  });
});
