import assert from 'node:assert/strict';
import type { RunLog } from '../../../src/runLog/runLog';
import { AcpWire } from '../../support/acpWire';
import { readSavedLines } from '../../support/savedRun';
import { streamed } from '../../support/streamWire';

describe('use of the context', () => {
  const session = { session_id: 's' };
  const init = { type: 'system', subtype: 'init', ...session, model: 'claude-opus-5-5', cwd: '/home/dev/project' };
  const tokens = { input_tokens: 3, output_tokens: 22 };
  const cacheMiss = { ...tokens, cache_creation_input_tokens: 742_653, cache_read_input_tokens: 0 };

  function answer(usage: object, parent: string | null = null): object {
    const message = { id: `msg_${JSON.stringify(usage).length}`, role: 'assistant', model: 'claude-opus-5-5-20260101' };
    const content = [{ type: 'text', text: 'Hello.' }];
    return { type: 'assistant', ...session, parent_tool_use_id: parent, message: { ...message, content, usage } };
  }

  function lastTurn({ log }: { readonly log: RunLog }) {
    return log.spans({ kinds: ['turn'] }).at(-1)?.usage;
  }

  it('of Claude Code is known during the turn, and has its window from the result', () => {
    const wire = streamed(init, answer(cacheMiss));
    const spent = { basis: 'turn', inputTokens: 742_656, outputTokens: 22, cacheWriteTokens: 742_653 };
    assert.deepEqual(lastTurn(wire), { ...spent, contextTokens: 742_678 });
    const modelUsage = {
      'claude-haiku-4-5': { contextWindow: 200_000 },
      'claude-opus-5-5': { contextWindow: 1_000_000 },
    };
    const result = { type: 'result', subtype: 'success', ...session, is_error: false, result: 'Hello.' };
    wire.send({ ...result, usage: cacheMiss, total_cost_usd: 4.12, modelUsage });
    const more = { cachedTokens: 0, costUsd: 4.12, contextTokens: 742_678, contextWindow: 1_000_000 };
    assert.deepEqual(lastTurn(wire), { ...spent, ...more });
  });

  it("doesn't include Claude's subagents", () => {
    const inner = answer({ input_tokens: 900, output_tokens: 5 }, 'toolu_1');
    assert.equal(lastTurn(streamed(init, answer(cacheMiss), inner))?.contextTokens, 742_678);
  });

  it('of an ACP agent follows its updates, and is kept for the next turn', () => {
    const wire = new AcpWire().prompt(1);
    wire.update({ sessionUpdate: 'usage_update', used: 156_000, size: 200_000 });
    assert.deepEqual(lastTurn(wire), { basis: 'turn', contextTokens: 156_000, contextWindow: 200_000 });
    wire.update({ sessionUpdate: 'compaction_update', compactionId: 'c', status: 'completed' });
    assert.deepEqual(lastTurn(wire), { basis: 'turn', contextWindow: 200_000 });
    wire.update({ sessionUpdate: 'usage_update', used: 9000, size: 0 });
    const now = { basis: 'turn', contextTokens: 9000, contextWindow: 200_000 };
    assert.deepEqual(lastTurn(wire), now);
    wire.answer(1, { stopReason: 'end_turn' }).prompt(2).answer(2, { stopReason: 'end_turn' });
    assert.deepEqual(lastTurn(wire), now);
  });

  it('has its window from the files of Codex', () => {
    const line = (type: string, payload: object): string =>
      JSON.stringify({ timestamp: '2026-11-22T09:12:17.659Z', ordinal: 1, type, payload });
    const spent = { input_tokens: 1200, cached_input_tokens: 300, output_tokens: 60 };
    const log = readSavedLines([
      line('session_meta', { id: 'thread', cwd: '/home/dev' }),
      line('event_msg', { type: 'task_started', model_context_window: 258_400 }),
      line('event_msg', { type: 'user_message', message: 'Hi' }),
      line('token_usage_record', { response_id: 'r', usage: spent }),
      line('event_msg', { type: 'task_complete', last_agent_message: 'Hello.' }),
    ]);
    const usage = lastTurn({ log });
    assert.deepEqual([usage?.inputTokens, usage?.contextTokens, usage?.contextWindow], [1200, 1260, 258_400]);
  });

  it('counts a Gemini turn by the fields that it has in place of `usage`', () => {
    const wire = new AcpWire().prompt(1);
    const quota = { token_count: { input_tokens: 2210, output_tokens: 188 }, model_usage: [] };
    wire.answer(1, { stopReason: 'end_turn', _meta: { quota } });
    assert.deepEqual(lastTurn(wire), { inputTokens: 2210, outputTokens: 188, basis: 'turn' });
  });
});
