import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';

const init = (session_id: string): object => ({ type: 'system', subtype: 'init', session_id });
const says = (session_id: string, ...content: object[]): object => ({
  type: 'assistant',
  session_id,
  message: { content },
});
const result = (session_id: string, by: object = {}): object => ({
  type: 'result',
  session_id,
  result: 'Done.',
  ...by,
});
const text = { type: 'text', text: 'Yes.' };
const bash = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'npm test' } };

describe('diagnosis: several sessions in one file', () => {
  it('have separate turns, as long as they are active', () => {
    const wire = new DiagnosedWire('stream-json');
    const now = (line: object): string[] => {
      wire.send('a2c', line);
      return ['s1', 's2'].map((id) => wire.summary(id));
    };
    now(init('s1'));
    assert.deepEqual(now(init('s2')), ['turn unfinished', 'waiting for the model']);
    assert.deepEqual(now(says('s1', bash)), ['running: Bash: npm test', 'waiting for the model']);
    assert.deepEqual(now(says('s2', text)), ['running: Bash: npm test', 'answering']);
    assert.deepEqual(now(result('s1')), ['turn ended after 4 ms', 'answering']);
    const failed = now(result('s2', { is_error: true, result: 'boom' }));
    assert.deepEqual(failed, ['turn ended after 4 ms', 'Turn failed: boom']);
    assert.deepEqual(wire.quiet(3_600_000).codes, ['failed-turn error']);
  });
});
