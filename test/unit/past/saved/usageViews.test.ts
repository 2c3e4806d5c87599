import { hasSqlite } from '../../../support/databases';
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { savers } from '../../../../src/agents/agents';
import { weekBefore } from '../../../../src/past/saved/list/usedTokens';
import type { SavedSession } from '../../../../src/past/saved/savedSession';
import { localDay } from '../../../../src/text/format';
import { outerTurns, totalUsage } from '../../../../src/timeline/totalUsage';
import type { Usage } from '../../../../src/work/activity';
import { runHere } from '../../../support/cliHere';
import { forks, originOf } from '../../../support/forkLines';
import { recordedSpans } from '../../../support/recordedSpans';
import { savedHomeEnv } from '../../../support/savedHome';
import { makeSamples } from '../../../support/savedSamples';
import { amountsOf, otlpAmounts, usageViews } from '../../../support/usageViews';
import { savedHomeOptions } from '../../../support/savedHome';
import { useSavedHome } from '../../../support/savedSuite';

const now = Date.parse('2026-11-28T12:00:00Z');
const firstDay = localDay(weekBefore(now));
const uuid = (n: number): string => `01970000-0005-7000-8000-${String(n).padStart(12, '0')}`;

type PrintedSession = Pick<SavedSession, 'id' | 'path'> & { readonly agent: string; readonly usage?: Usage };

/** Where an agent saves its nth session. */
const places: Readonly<Record<string, (n: number) => string>> = {
  claude: (n) => `.claude/projects/-home-me-p/${uuid(n)}.jsonl`,
  codex: (n) => `.codex/sessions/2026/11/22/rollout-2026-11-22T09-10-35-${uuid(n)}.jsonl`,
  gemini: (n) => `.gemini/tmp/p/chats/session-2026-11-22T09-25-${String(n).padStart(8, '0')}.jsonl`,
  qwen: (n) => `.qwen/projects/-home-me-p/chats/${uuid(n)}.jsonl`,
  copilot: (n) => `.copilot/session-state/${uuid(n)}/events.jsonl`,
  pi: (n) => `.pi/agent/sessions/--home-me-p--/2026-11-22T09-42-35-675Z_${uuid(n)}.jsonl`,
  kimi: (n) => `.kimi-code/sessions/wd_p/session_${uuid(n)}/agents/main/wire.jsonl`,
  cline: (n) => `.cline/data/sessions/${n}_x/${n}_x.messages.json`,
  vscode: (n) => `.config/Code/User/workspaceStorage/1a2b/chatSessions/${uuid(n)}.jsonl`,
};

/** Two views of one number. */
describe('what a saved session used', () => {
  const home = useSavedHome();
  const options = () => ({ ...savedHomeOptions(home.path), now: () => now });
  const place = (agent: string, n: number): string => places[agent]?.(n) ?? assert.fail(agent);

  /** Agents whose sessions had tokens, and those with a cost. */
  const spent = { tokens: new Set<string>(), costs: new Set<string>() };

  async function areEqual(): Promise<number> {
    const views = await usageViews(options());
    for (const { session, allTurns } of views) {
      const [tokens = '', cost = ''] = allTurns.split(' $');
      if (!tokens.endsWith('/0')) spent.tokens.add(session.agent);
      if (cost !== '0') spent.costs.add(session.agent);
    }
    for (const { session, turns, json, otlp, counted, row, isAtLeast, hasSums } of views) {
      const name = `${session.agent} ${session.id}`;
      assert.deepEqual([json, otlp], [turns, turns], name);
      if (!isAtLeast && !hasSums) assert.equal(row, counted, name);
      if (isAtLeast) assert.ok(parseFloat(row) <= parseFloat(counted), name);
    }
    await printedAre(views);
    const saved = home.sessions({ now: () => now });
    for (const agent of new Set(views.map(({ session }) => session.agent))) {
      const rows = views.filter(({ session }) => session.agent === agent);
      const days = rows.flatMap(({ session: { used = [] } }) => used).filter(({ day }) => day >= firstDay);
      const sum = days.reduce((all, { tokens }) => all + tokens, 0);
      assert.equal((await saved.used(agent)).week.tokens, sum, `the week of ${agent}`);
    }
    return views.filter(({ row }) => parseFloat(row) > 0).length;
  }

  async function printedAre(views: Awaited<ReturnType<typeof usageViews>>): Promise<void> {
    const words = ['sessions', '--json', '--limit', '500'];
    const { stdout } = await runHere(home.path, words, { env: savedHomeEnv(home.path) });
    const lines = stdout.split('\n').filter((line) => line !== '');
    for (const line of lines) {
      const { agent, id, path, usage } = JSON.parse(line) as PrintedSession;
      const view = views.find(({ session: one }) => one.agent === agent && one.id === id && one.path === path);
      assert.equal(amountsOf([usage]), view?.turns, `${agent} ${id}`);
    }
    assert.ok(lines.length > 0);
  }

  it('is the same in its turns, row, JSON, OTLP and week: samples of each agent', async () => {
    makeSamples(home.path);
    const written = readdirSync(home.path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { parentPath, name } of written) utimesSync(join(parentPath, name), now / 1000, now / 1000);
    assert.ok((await areEqual()) >= 8);
  });

  it('is the same in its turns, row, JSON, OTLP and week: all recordings', async () => {
    const folder = 'test/fixtures/saved';
    for (const [n, name] of readdirSync(folder).entries()) {
      const [agent = ''] = name.split('-');
      if (!(agent in places)) continue;
      const path = home.write(place(agent, n), readFileSync(join(folder, name), 'utf8'), now);
      const state = { id: `session_${uuid(n)}`, cwd: '/home/me/p', createdAt: now, lastTurnReason: 'completed' };
      if (agent === 'kimi') writeFileSync(join(dirname(path), '../../state.json'), JSON.stringify(state));
    }
    assert.ok((await areEqual()) >= 25);
  });

  it('is from where the documents say', () => {
    const text = readFileSync('docs/saved-sessions.md', 'utf8');
    const table = text.slice(text.indexOf('### What is counted'), text.indexOf('## Forks'));
    for (const { id, label, saved: form } of savers) {
      const row = table.split('\n').find((line) => line.startsWith(`| ${label} |`));
      const [, tokens = '', cost = ''] = row?.split(' | ') ?? [];
      if (hasSqlite || form.type !== 'database') assert.ok(spent.tokens.has(id) && tokens !== '', label);
      if (spent.costs.has(id)) assert.ok(!/^not /.test(cost), `${label}: ${cost}`);
    }
    assert.ok(spent.costs.has('pi'));
  });

  for (const [name, lines] of Object.entries(forks)) {
    const agent = name.split(/[ ,]/)[0]?.toLowerCase() ?? '';
    if (!(agent in places)) continue;
    it(`and its fork used is what the model server counted: ${name}`, async () => {
      for (const [n, own] of [originOf(lines), lines].entries()) {
        home.write(place(agent, 12 + n), own, now);
      }
      assert.equal(await areEqual(), 2);
      const views = await usageViews(options());
      assert.deepEqual(views.map(({ turns }) => turns).sort(), ['100/10/110 $0', '7/3/10 $0']);
    });
  }
});

describe('what a recorded turn used', () => {
  const recorded = [
    ['test/fixtures/streams', 'stream-json'],
    ['test/fixtures/transcripts', 'acp'],
    ['test/fixtures/acp', 'acp'],
  ] as const;
  for (const [folder, protocol] of recorded) {
    it(`is the same in Turns, their sum and OTLP: ${folder}`, () => {
      let count = 0;
      for (const name of readdirSync(folder)) {
        if (!name.endsWith('.ndjson') || /^(?:mcp|lsp)/.test(name)) continue;
        const turns = outerTurns(recordedSpans(join(folder, name), protocol));
        const all = amountsOf(turns.map(({ usage }) => usage));
        assert.equal(otlpAmounts(turns), all, name);
        const isExact = turns.every(({ usage }) => usage === undefined || usage.basis === 'turn');
        if (isExact) assert.equal(amountsOf([totalUsage(turns)]), all, name);
        if (turns.some(({ usage }) => (usage?.inputTokens ?? 0) > 0)) count++;
      }
      assert.ok(count > 0);
    });
  }
});
