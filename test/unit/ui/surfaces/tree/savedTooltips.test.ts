import '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { SavedSessionRow } from '../../../../../src/ui/surfaces/tree/rows/savedSessionRow';
import { makeManySessions } from '../../../../support/manySessions';
import { SavedRows } from '../../../../support/treeRows';
import type { PriceList } from '../../../../../src/work/usage/prices';

const now = 1_796_000_000_000;

describe('the tooltip of an agent that saves sessions', () => {
  const all = new SavedRows();

  it('says what its sessions used lately', async () => {
    const claude = await all.unfold(all.rows(), 'claude');
    await claude.prepareTooltip();
    assert.equal(claude.tooltip(), join(all.home, '.claude'), 'nothing in the last week');
    makeManySessions(all.home, { count: 40, now });
    await claude.prepareTooltip();
    assert.match(claude.tooltip(), /^Today: 10.6k tokens\nLast 7 days: 10.6k tokens\nCost: its sessions don't say\. /);
  });

  it('says what is left of the limits that the agent reported, and how old that is', async () => {
    const timestamp = new Date(now - 2 * 3_600_000).toISOString();
    const line = (type: string, payload: object): string => `${JSON.stringify({ timestamp, type, payload })}\n`;
    const id = '01a20285-8ad1-7621-822c-2b296e55f0ff';
    const primary = { used_percent: 61.9, window_minutes: 300, resets_at: now / 1000 - 60 };
    const secondary = { used_percent: 12, window_minutes: 10_080, resets_at: now / 1000 + 86_400 };
    const path = join(all.home, '.codex', 'sessions', '2026', '11', '24', `rollout-2026-11-24T09-10-35-${id}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    const count = { type: 'token_count', info: null, rate_limits: { primary, secondary } };
    const prompt = line('event_msg', { type: 'user_message', message: 'Sort it' });
    writeFileSync(path, line('session_meta', { id, cwd: '/' }) + prompt + line('event_msg', count));
    utimesSync(path, now / 1000, now / 1000);
    const codex = await all.unfold(all.rows(), 'codex');
    await codex.prepareTooltip();
    const [first, second = ''] = codex.tooltip().match(/^Limit .*$/gm) ?? [];
    assert.equal(first, 'Limit 5 h: 61 % used (2 h ago), has reset since');
    assert.match(second, /^Limit 7 d: 12 % used \(2 h ago\), resets \S/);
  });
});

describe('the tooltip of a session that was read', () => {
  const all = new SavedRows();

  /** The lines of cost in the tooltips of an agent's sessions. */
  async function costs(agent: string, prices: PriceList): Promise<readonly string[]> {
    const row = await all.unfold(all.rows({}, { prices: () => prices }), agent);
    const sessions = row.children().filter((child) => child instanceof SavedSessionRow);
    for (const session of sessions) {
      await session.load();
      await session.file.read();
    }
    return sessions.flatMap((session) => session.tooltip().match(/\b(?:Computed c|C)ost.*$/gm) ?? []);
  }

  it('has what it cost by the prices of the user, unless its agent reports that', async () => {
    const prices = { 'mock*': { input: 1000, output: 0 } };
    const [last, every] = ['Computed cost by your prices: ', 'Computed cost of all its turns: '];
    assert.deepEqual(await costs('codex', prices), [`${last}$4.10`, `${every}$8.15`]);
    assert.deepEqual(await costs('kimi', prices), [`${last}$1.20`]);
    assert.deepEqual(await costs('kimi', { other: prices['mock*'] }), []);
    assert.deepEqual(await costs('pi', prices), ['Cost: $0.0012']);
  });
});
