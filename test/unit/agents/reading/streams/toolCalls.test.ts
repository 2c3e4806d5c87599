import assert from 'node:assert/strict';
import { StreamJsonInterpreter } from '../../../../../src/agents/reading/streams/streamJsonInterpreter';
import { StreamWire } from '../../../../support/streamWire';

describe('stream-json interpreter: tool calls', () => {
  it('finds a running call however many others have started since', () => {
    const session = { session_id: 's' };
    const use = (id: string) => {
      const content = [{ type: 'tool_use', id, name: 'Task', input: {} }];
      return { type: 'assistant', ...session, message: { role: 'assistant', content } };
    };
    const result = (id: string) => {
      const content = [{ type: 'tool_result', tool_use_id: id, content: 'done' }];
      return { type: 'user', ...session, message: { role: 'user', content } };
    };
    const run = new StreamWire((context) => new StreamJsonInterpreter(context)).send(use('first'));
    for (let n = 0; n < 600; n++) run.send(use(`t${n}`)).send(result(`t${n}`));
    run.send(result('first'));
    assert.equal(run.lines.at(-1), 'info activity tool: Task (completed): done');
    assert.equal(run.log.spans().filter(({ kind }) => kind === 'tool').length, 601);
  });
});
