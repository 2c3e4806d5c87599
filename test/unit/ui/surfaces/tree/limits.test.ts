import '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SavedSessions } from '../../../../../src/past/saved/list/savedSessions';
import type { Row } from '../../../../../src/ui/surfaces/tree/rows/row';
import { savedHomeOptions } from '../../../../support/savedHome';
import { TestRuns } from '../../../../support/testRun';
import { treeRows } from '../../../../support/treeRows';

describe('the tooltip of an agent that saves sessions', () => {
  const { rowsWith } = treeRows(new TestRuns());
  let home: string;
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'agent-logs-'))));
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  /** The rows of the agents. */
  async function unfolded(): Promise<readonly Row[]> {
    const sessions = new SavedSessions(savedHomeOptions(home));
    const saved = { isShown: true, folders: [], load: () => Promise.resolve(sessions) };
    const group = rowsWith({ saved, now: () => 1_796_000_000_000 }).saved;
    await group.load();
    return group.children();
  }

  it('says what is left of the limits that the agent reported, and how old that is', async () => {
    const now = 1_796_000_000_000;
    const timestamp = new Date(now - 2 * 3_600_000).toISOString();
    const line = (type: string, payload: object): string => `${JSON.stringify({ timestamp, type, payload })}\n`;
    const id = '01a20285-8ad1-7621-822c-2b296e55f0ff';
    const primary = { used_percent: 61.9, window_minutes: 300, resets_at: now / 1000 - 60 };
    const secondary = { used_percent: 12, window_minutes: 10_080, resets_at: now / 1000 + 86_400 };
    const path = join(home, '.codex', 'sessions', '2026', '11', '24', `rollout-2026-11-24T09-10-35-${id}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    const count = { type: 'token_count', info: null, rate_limits: { primary, secondary } };
    const prompt = line('event_msg', { type: 'user_message', message: 'Sort it' });
    writeFileSync(path, line('session_meta', { id, cwd: '/' }) + prompt + line('event_msg', count));
    utimesSync(path, now / 1000, now / 1000);
    const codex = (await unfolded()).find(({ id: row }) => row === 'saved:codex');
    await codex!.prepareTooltip();
    const lines = codex!
      .tooltip()
      .split('\n')
      .filter((text) => text.startsWith('Limit '));
    assert.equal(lines[0], 'Limit 5 h: 61 % used (2 h ago), has reset since');
    assert.match(lines[1] ?? '', /^Limit 7 d: 12 % used \(2 h ago\), resets \S/);
  });
});
