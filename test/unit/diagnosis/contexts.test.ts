import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';

function used(wire: DiagnosedWire, used: number, size = 200_000): DiagnosedWire {
  return wire.update({ sessionUpdate: 'usage_update', used, size });
}

function compacted(wire: DiagnosedWire, id: number): DiagnosedWire {
  const update = { sessionUpdate: 'compaction_update', compactionId: `${id}` };
  return wire.update({ ...update, status: 'in_progress' }).update({ ...update, status: 'completed' });
}

describe('diagnosis: contexts', () => {
  it('are reported once for each threshold, and settled when they have room again', () => {
    const wire = DiagnosedWire.withSession().prompt();
    for (const tokens of [160_000, 172_000, 176_000, 191_000, 188_000, 192_000]) used(wire, tokens);
    assert.deepEqual(wire.codes, ['context-nearly-full notice', 'context-nearly-full warning']);
    assert.equal(wire.log.find('session-1')?.summary?.worst?.code, 'context-nearly-full');
    used(compacted(wire, 1), 50_000);
    assert.equal(wire.log.find('session-1')?.summary?.worst, undefined);
    assert.match(wire.said.at(-1) ?? '', /^notice .* The context is 25 % full/);
    assert.equal(used(wire, 195_000).codes.at(-1), 'context-nearly-full warning');
  });

  it('that are compacted again and again are one problem with a count', () => {
    const wire = DiagnosedWire.withSession().prompt();
    for (let i = 0; i < 6; i++) used(compacted(used(wire, 100_000).chunk('Working.'), i), 40_000);
    assert.deepEqual(wire.codes, ['compacts-again warning']);
    wire.end();
    assert.deepEqual(wire.counts, [3]);
  });

  it('of a request without an answer may be those of the compaction itself', () => {
    const wire = new DiagnosedWire('stream-json');
    const session_id = 's1';
    const says = (id: string, tokens: number, text?: string): void => {
      const content = text === undefined ? [] : [{ type: 'text', text }];
      const message = { id, role: 'assistant', model: 'm', content, usage: { input_tokens: tokens, output_tokens: 1 } };
      wire.send('a2c', { type: 'assistant', session_id, message });
    };
    wire.send('a2c', { type: 'system', subtype: 'init', session_id, model: 'm' });
    says('1', 150_000, 'Hello.');
    const compact_metadata = { trigger: 'auto' };
    wire.send('a2c', { type: 'system', subtype: 'compact_boundary', session_id, compact_metadata });
    says('2', 150_000);
    says('3', 30_000, 'Hello again.');
    assert.deepEqual(wire.codes, []);
  });

  describe('and caches that are never read', () => {
    const turn = (wire: DiagnosedWire, cachedReadTokens: number, cachedWriteTokens: number): DiagnosedWire => {
      const usage = { inputTokens: 10, outputTokens: 5, cachedReadTokens, cachedWriteTokens };
      return wire.prompt().chunk('Well.').answer({ stopReason: 'end_turn', usage });
    };

    it('are one problem, which is settled when a turn reads it', () => {
      const wire = DiagnosedWire.withSession();
      for (const tokens of [30_000, 31_000, 32_000, 33_000, 34_000]) turn(wire, 0, tokens);
      assert.deepEqual(wire.codes, ['cache-never-read warning']);
      assert.equal(wire.log.find('session-1')?.summary?.worst?.code, 'cache-never-read');
      turn(wire, 34_000, 500);
      assert.match(wire.said.at(-1) ?? '', /^notice \[session-1\] cache-never-read: The cache is read again/);
      assert.equal(wire.log.find('session-1')?.summary?.worst, undefined);
    });

    it('may be small, or summed up by the agent', () => {
      const wire = DiagnosedWire.withSession();
      for (let n = 0; n < 8; n++) turn(wire, 0, 900);
      assert.deepEqual(wire.codes, []);
      const sums = DiagnosedWire.withSession();
      for (const sum of [30_000, 61_000, 93_000, 126_000]) turn(sums, 0, sum);
      assert.match(sums.first, /4 times in a row \(126000 tokens\)/);
    });
  });
});
