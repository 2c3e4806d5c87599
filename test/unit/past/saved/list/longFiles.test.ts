import assert from 'node:assert/strict';
import type { SaverId } from '../../../../../src/agents/agents';
import type { SavedSession } from '../../../../../src/past/saved/savedSession';
import { ClaudeLines } from '../../../../support/claudeLines';
import { notedFs, useSavedHome } from '../../../../support/savedSuite';

const id = '0c5f0f0e-0000-4000-8000-000000000031';
const at = (seconds: number): string => new Date(Date.UTC(2026, 10, 28, 10, 0, seconds)).toISOString();
const lines = new ClaudeLines(id, '2026-11-28');
const prompt = lines.prompt('p1', 'Sort the cart', { timestamp: at(1) });
const answer = lines.answer('a1', 'm1', [10, 2], { timestamp: at(3) });
const filler = (kilobytes: number): object => ({
  ...lines.line('attachment', 'f1', {}),
  timestamp: at(4),
  attachment: { type: 'prompt_snapshot', text: 'x'.repeat(kilobytes * 1024) },
});
const after = [
  { type: 'last-prompt', lastPrompt: 'Sort the cart', sessionId: id },
  { type: 'cost-state', sessionId: id, totalCostUSD: 0.01 },
];

describe('the details of a long saved session', () => {
  const home = useSavedHome();

  type Listed = SavedSession & { readonly read: number };

  async function listed(agent: SaverId, path: string, lines: readonly object[]): Promise<Listed> {
    home.write(path, lines);
    const { fs, reads } = notedFs();
    const [session = assert.fail('no session')] = (await home.sessions({ fs }).list(agent)).sessions;
    return { ...session, read: reads.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  const claude = (...lines: readonly object[]): Promise<Listed> =>
    listed('claude', `.claude/projects/-home-dev-shop/${id}.jsonl`, lines);

  for (const kilobytes of [40, 60, 125, 400]) {
    it(`have the last turn if ${kilobytes} KB of bookkeeping follow its answer`, async () => {
      const { outcome, lastAt } = await claude(prompt, filler(40), answer, filler(kilobytes), ...after);
      assert.deepEqual([outcome, lastAt], ['ok', Date.parse(at(kilobytes > 250 ? 3 : 4))]);
    });
  }

  it('have no outcome if more follows than is read', async () => {
    const { outcome, title, read } = await claude(prompt, answer, ...Array.from({ length: 20 }, () => filler(100)));
    assert.deepEqual([outcome, title], [undefined, 'Sort the cart']);
    assert.ok(read < 1.5 * 1024 * 1024);
  });

  it('are read from its ends only, if the end has the last turn', async () => {
    const { outcome, read } = await claude(prompt, ...Array.from({ length: 20 }, () => filler(100)), answer, ...after);
    assert.deepEqual([outcome, read], ['ok', 64 * 1024]);
  });

  it('have the model of the last answer if it changed in the middle', async () => {
    const event = (type: string, data: object, seconds: number): object => {
      return { type, id: `e${seconds}`, parentId: null, timestamp: at(seconds), data };
    };
    const usage = (model: string, seconds: number): object => {
      const used = { model, apiCallId: `c${seconds}`, inputTokens: 5, outputTokens: 1 };
      return event('session.usage_record', { usage: used }, seconds);
    };
    const message = (text: string, seconds: number): object =>
      event('assistant.message', { content: text, toolRequests: [] }, seconds);
    const { model } = await listed('copilot', `.copilot/session-state/${id}/events.jsonl`, [
      event('session.start', { sessionId: id, copilotVersion: '1.0.102', selectedModel: 'gpt-5' }, 1),
      event('user.message', { content: 'Sort the cart' }, 2),
      usage('gpt-5', 3),
      message('Sorted.', 4),
      event('system.message', { content: 'x'.repeat(20_000) }, 5),
      event('session.model_change', { previousModel: 'gpt-5', newModel: 'gpt-6' }, 6),
      event('system.message', { content: 'x'.repeat(20_000) }, 7),
      event('user.message', { content: 'And now backwards' }, 8),
      usage('gpt-6', 9),
      message('Sorted backwards.', 10),
      event('assistant.turn_end', {}, 11),
    ]);
    assert.equal(model, 'gpt-6');
  });
});
