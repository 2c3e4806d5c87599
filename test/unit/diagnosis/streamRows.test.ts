import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';

const session_id = 's1';
const init = { type: 'system', subtype: 'init', session_id };
const result = { type: 'result', subtype: 'success', session_id, is_error: false, result: 'Done.' };
const thread = [{ type: 'thread.started', thread_id: session_id }, { type: 'turn.started' }];

/** The text of a session's row after these lines. */
function after(...lines: readonly object[]): string {
  return begun(...lines).summary(session_id);
}

function begun(...lines: readonly object[]): DiagnosedWire {
  const wire = new DiagnosedWire('stream-json');
  for (const line of lines) wire.send('a2c', line);
  return wire;
}

describe("diagnosis: rows of agents' streams", () => {
  it('show retries while they last, and record a notice if the turn recovers', () => {
    const error = { error: 'overloaded', error_status: 529, retry_delay_ms: 2000 };
    const wire = begun(init, { type: 'system', subtype: 'api_retry', session_id, ...error });
    assert.equal(wire.summary(session_id), 'overloaded · retry 1');
    assert.deepEqual(wire.said, []);
    wire.send('a2c', result);
    assert.match(wire.summary(session_id), /^turn ended after/);
    assert.match(wire.said.join(), /^notice .* retrying: Recovered after 1 retry \(overloaded\)\.$/);
  });

  it('show no retry after Codex has given up', () => {
    const retry = { type: 'error', message: 'Reconnecting... 5/5' };
    assert.equal(after(...thread, retry), 'retry 1 of 5');
    const last = { type: 'error', message: 'stream disconnected before completion' };
    assert.equal(after(...thread, retry, last), 'waiting for the model');
  });

  it('show that a conversation is being compacted', () => {
    const status = (name: string | null): object => ({ type: 'system', subtype: 'status', status: name, session_id });
    const says = { type: 'assistant', session_id, message: { content: [{ type: 'text', text: 'Yes.' }] } };
    assert.equal(after(init, says, status('compacting')), 'compacting the conversation');
    assert.equal(after(init, says, status('compacting'), status(null)), 'answering');
    // A command starts compaction before the turn is announced.
    const prompt = { type: 'user', message: { role: 'user', content: '/compact' } };
    const wire = begun(init, result).send('c2a', prompt).send('a2c', status('compacting'));
    assert.equal(wire.summary(session_id), 'compacting the conversation');
    wire
      .send('a2c', status(null))
      .send('a2c', init)
      .send('a2c', { ...result, local_command: 'compact' });
    assert.match(wire.summary(session_id), /^turn ended after/);
  });

  it('show that the user interrupted the turn', () => {
    const wire = begun(init).wait(2000).process({ ev: 'signal', signal: 'SIGTERM' });
    wire.process({ ev: 'exit', code: null, signal: 'SIGTERM' });
    assert.equal(wire.summary(session_id), 'turn stopped after 2.0 s');
  });

  it('describe a search and a limit in words', () => {
    const search = (query: string): object => ({ type: 'item.started', item: { id: 'w', type: 'web_search', query } });
    assert.equal(after(...thread, search('')), 'running: web search');
    assert.equal(after(...thread, search('ndjson')), 'running: web search: ndjson');
    const limited = (subtype: string): string => after(init, { ...result, subtype, is_error: true });
    assert.match(limited('error_max_budget_usd'), /cut short: budget in US dollars used up/);
    assert.match(limited('error_max_structured_output_retries'), /limit of retries for structured output reached/);
    assert.match(limited('error_max_constructor'), /limit of constructor reached/);
  });
});
