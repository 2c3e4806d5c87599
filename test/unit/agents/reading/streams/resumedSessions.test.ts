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

  it("of Claude Code have the turn's own cost", () => {
    const usage = { input_tokens: 20, output_tokens: 2 };
    const own = { 'claude-haiku-4-5': { costUSD: 0.1 } };
    const run = new StreamWire((context) => new StreamJsonInterpreter(context));
    run.send({ type: 'system', subtype: 'init', session_id });
    const sum = { total_cost_usd: 0.4, modelUsage: { 'claude-haiku-4-5': { costUSD: 0.4 } } };
    run.send({ type: 'result', subtype: 'success', session_id, usage, ...sum, model_usage_since_last_result: own });
    const [turn] = run.log.spans({ kinds: ['turn'] });
    assert.deepEqual([turn?.usage?.inputTokens, turn?.usage?.costUsd], [20, 0.1]);
  });

  it("of Qwen Code have the turn's own tokens", () => {
    const answer = (id: string, input_tokens: number): object => {
      const message = { id, role: 'assistant', content: [{ type: 'text', text: 'Done.' }], usage: { input_tokens } };
      return { type: 'assistant', session_id, parent_tool_use_id: null, message };
    };
    const run = new StreamWire((context) => new StreamJsonInterpreter(context));
    run.send({ type: 'system', subtype: 'init', session_id, qwen_code_version: '0.24.4' });
    for (const line of [answer('a1', 20), answer('a1', 20), answer('a2', 30)]) run.send(line);
    run.send({ type: 'result', subtype: 'success', session_id, usage: { input_tokens: 1050 } });
    const [turn] = run.log.spans({ kinds: ['turn'] });
    assert.equal(turn?.usage?.inputTokens, 50);
  });

  it('keep what a turn used that was killed', () => {
    const message = { id: 'a1', role: 'assistant', content: [], usage: { input_tokens: 20, output_tokens: 2 } };
    const run = new StreamWire((context) => new StreamJsonInterpreter(context));
    run.send({ type: 'system', subtype: 'init', session_id });
    run.send({ type: 'assistant', session_id, message });
    const [turn] = run.log.spans({ kinds: ['turn'] });
    assert.equal(turn?.usage?.inputTokens, 20);
  });
});
