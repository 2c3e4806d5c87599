import assert from 'node:assert/strict';
import { StreamJsonInterpreter } from '../../../../../src/agents/reading/streams/streamJsonInterpreter';
import { StreamWire } from '../../../../support/streamWire';

const session_id = 's';

describe('resumed stream sessions', () => {
  it('continue if another run of an ended session follows in the same file', () => {
    const stamp = { timestamp: '2026-11-20T12:00:00Z' };
    const runs: [object[], object][] = [
      [[{ type: 'system', subtype: 'init', session_id }], { type: 'result', subtype: 'success', session_id }],
      [[{ type: 'thread.started', thread_id: 't' }, { type: 'turn.started' }], { type: 'turn.completed', usage: {} }],
      [
        [{ ...stamp, type: 'init', session_id, model: 'm' }],
        { ...stamp, type: 'result', status: 'success', stats: {} },
      ],
    ];
    for (const [beginning, end] of runs) {
      const run = new StreamWire((context) => new StreamJsonInterpreter(context));
      const isOver = (lines: readonly object[]): (boolean | undefined)[] => {
        for (const line of lines) run.send(line);
        return run.log.sessions.map(({ ended }) => ended);
      };
      const told = [isOver([...beginning, end]), isOver(beginning), isOver([end]), isOver(beginning.slice(-1))];
      assert.deepEqual(told, [[true], [false], [true], [false]]);
    }
  });
});
