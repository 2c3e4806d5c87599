import assert from 'node:assert/strict';
import { StreamJsonInterpreter } from '../../../../../src/agents/reading/streams/streamJsonInterpreter';
import { StreamWire } from '../../../../support/streamWire';

const session_id = 's';

function wire(): StreamWire {
  return new StreamWire((context) => new StreamJsonInterpreter(context));
}

describe('stream interrupts', () => {
  it('detect a Gemini turn that the user cancelled', () => {
    const stamp = { timestamp: '2026-11-20T12:00:00Z' };
    const error = { type: 'FatalCancellationError', message: 'Operation cancelled.' };
    const run = wire().send({ ...stamp, type: 'init', session_id, model: 'm' });
    run.send({ ...stamp, type: 'result', status: 'error', error, stats: {} });
    assert.equal(run.lines[1], 'notice activity turn: cancelled: FatalCancellationError: Operation cancelled.');
  });

  it('apply to the turn that was running, if any', () => {
    const result = { type: 'result', subtype: 'error_during_execution', is_error: true, session_id };
    const interrupt = { type: 'control_request', request_id: 'r1', request: { subtype: 'interrupt' } };
    const prompt = { type: 'user', session_id, message: { role: 'user', content: 'go on' } };
    const turns = (run: StreamWire): string[] => run.lines.filter((line) => line.includes('turn:'));
    const idle = wire().send(prompt, 'c2a').send({ type: 'result', subtype: 'success', session_id });
    idle.send(interrupt, 'c2a').send({ type: 'control_response', response: { subtype: 'success', request_id: 'r1' } });
    idle.send(prompt, 'c2a').send({ ...result, errors: ['API Error: 500 boom'] });
    assert.equal(turns(idle)[1], 'error activity turn: failed (error_during_execution): API Error: 500 boom');
    const atOnce = wire().send(prompt, 'c2a').send(interrupt, 'c2a').send(interrupt, 'c2a').send(prompt, 'c2a');
    atOnce.send(result).send({ ...result, errors: ['no'] });
    assert.deepEqual(turns(atOnce), [
      'notice activity turn: cancelled',
      'error activity turn: failed (error_during_execution): no',
    ]);
    const refused = wire().send(prompt, 'c2a').send(interrupt, 'c2a');
    refused.send({ type: 'control_response', response: { subtype: 'error', request_id: 'r1', error: 'no' } });
    assert.match(turns(refused.send(result))[0] ?? '', /^error/);
  });
});
