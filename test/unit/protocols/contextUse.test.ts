import assert from 'node:assert/strict';
import { StreamJsonInterpreter } from '../../../src/agents/reading/streams/streamJsonInterpreter';
import type { Span } from '../../../src/timeline/span';
import { AcpWire } from '../../support/acpWire';
import { readSavedLines } from '../../support/savedRun';
import { StreamWire } from '../../support/streamWire';

describe('use of the context', () => {
  const session = { session_id: 's' };
  const cacheMiss = {
    input_tokens: 3,
    output_tokens: 22,
    cache_creation_input_tokens: 742_653,
    cache_read_input_tokens: 0,
  };

  function claude(): StreamWire {
    return new StreamWire((context) => new StreamJsonInterpreter(context)).send({
      type: 'system',
      subtype: 'init',
      ...session,
      model: 'claude-opus-5-5',
      cwd: '/home/dev/project',
    });
  }

  function answer(usage: object, parent: string | null = null): object {
    const message = { id: `msg_${JSON.stringify(usage).length}`, role: 'assistant', model: 'claude-opus-5-5-20260101' };
    const content = [{ type: 'text', text: 'Hello.' }];
    return { type: 'assistant', ...session, parent_tool_use_id: parent, message: { ...message, content, usage } };
  }

  function result(fields: object): object {
    return { type: 'result', subtype: 'success', ...session, is_error: false, result: 'Hello.', ...fields };
  }

  function lastTurn(spans: readonly Span[]): Span['usage'] {
    return spans.findLast(({ kind }) => kind === 'turn')?.usage;
  }

  it('of Claude Code is known during the turn, and has its window from the result', () => {
    const wire = claude().send(answer(cacheMiss));
    assert.deepEqual(lastTurn(wire.log.spans()), {
      basis: 'turn',
      inputTokens: 742_656,
      outputTokens: 22,
      cacheWriteTokens: 742_653,
      contextTokens: 742_678,
    });
    const modelUsage = {
      'claude-haiku-4-5': { inputTokens: 9, outputTokens: 1, contextWindow: 200_000 },
      'claude-opus-5-5': { inputTokens: 3, outputTokens: 22, contextWindow: 1_000_000 },
    };
    wire.send(result({ usage: cacheMiss, total_cost_usd: 4.12, modelUsage }));
    assert.deepEqual(lastTurn(wire.log.spans()), {
      inputTokens: 742_656,
      outputTokens: 22,
      cachedTokens: 0,
      cacheWriteTokens: 742_653,
      costUsd: 4.12,
      basis: 'turn',
      contextTokens: 742_678,
      contextWindow: 1_000_000,
    });
  });

  it("doesn't include Claude's subagents", () => {
    const wire = claude()
      .send(answer(cacheMiss))
      .send(answer({ input_tokens: 900, output_tokens: 5 }, 'toolu_1'));
    assert.equal(lastTurn(wire.log.spans())?.contextTokens, 742_678);
  });

  it('of an ACP agent follows its updates', () => {
    const wire = new AcpWire().prompt(1);
    wire.update({ sessionUpdate: 'usage_update', used: 156_000, size: 200_000 });
    assert.deepEqual(lastTurn(wire.log.spans()), { basis: 'turn', contextTokens: 156_000, contextWindow: 200_000 });
    wire.update({ sessionUpdate: 'compaction_update', compactionId: 'c', status: 'completed' });
    assert.deepEqual(lastTurn(wire.log.spans()), { basis: 'turn', contextWindow: 200_000 });
    wire.update({ sessionUpdate: 'usage_update', used: 9000, size: 0 });
    assert.deepEqual(lastTurn(wire.log.spans()), { basis: 'turn', contextTokens: 9000, contextWindow: 200_000 });
  });

  it('is kept for the next turn', () => {
    const wire = new AcpWire().prompt(1);
    wire.update({ sessionUpdate: 'usage_update', used: 156_000, size: 200_000 });
    wire.answer(1, { stopReason: 'end_turn' });
    wire.prompt(2);
    wire.answer(2, { stopReason: 'end_turn' });
    assert.deepEqual(lastTurn(wire.log.spans()), { basis: 'turn', contextTokens: 156_000, contextWindow: 200_000 });
  });

  it('has its window from the files of Codex', () => {
    const at = '2026-11-22T09:12:17.659Z';
    const event = (payload: object): string =>
      JSON.stringify({ timestamp: at, ordinal: 1, type: 'event_msg', payload });
    const lines = [
      JSON.stringify({ timestamp: at, ordinal: 0, type: 'session_meta', payload: { id: 'thread', cwd: '/home/dev' } }),
      event({ type: 'task_started', model_context_window: 258_400 }),
      event({ type: 'user_message', message: 'Hi' }),
      JSON.stringify({
        timestamp: at,
        ordinal: 2,
        type: 'token_usage_record',
        payload: { response_id: 'r', usage: { input_tokens: 1200, cached_input_tokens: 300, output_tokens: 60 } },
      }),
      event({ type: 'task_complete', last_agent_message: 'Hello.' }),
    ];
    const usage = lastTurn(readSavedLines(lines).spans());
    assert.deepEqual([usage?.inputTokens, usage?.contextTokens, usage?.contextWindow], [1200, 1260, 258_400]);
  });

  it('counts a Gemini turn by the fields that it has in place of `usage`', () => {
    const wire = new AcpWire().prompt(1);
    const quota = { token_count: { input_tokens: 2210, output_tokens: 188 }, model_usage: [] };
    wire.answer(1, { stopReason: 'end_turn', _meta: { quota } });
    assert.deepEqual(lastTurn(wire.log.spans()), { inputTokens: 2210, outputTokens: 188, basis: 'turn' });
  });
});
