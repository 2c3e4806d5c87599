import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, utimesSync } from 'node:fs';
import { localDay } from '../../../../../src/text/format';
import { usedLately } from '../../../../../src/past/saved/list/usedTokens';
import { usedSince } from '../../../../../src/past/saved/list/savedUsage';
import type { ListOptions, SavedSession } from '../../../../../src/past/saved/savedSession';
import type { SaverId } from '../../../../../src/agents/agents';
import { inEnglish } from '../../../../../src/text/translator';
import type { Span } from '../../../../../src/timeline/span';
import { hasSqlite } from '../../../../support/databases';
import { makeManySessions } from '../../../../support/manySessions';
import { makeSavedHome } from '../../../../support/savedHome';
import { makeSamples } from '../../../../support/savedSamples';
import { notedFs, useSavedHome } from '../../../../support/savedSuite';

const now = 1_796_000_000_000;
const day = 86_400_000;

describe('tokens that saved sessions used lately', () => {
  const home = useSavedHome();
  beforeEach(() => makeManySessions(home.path, { count: 100, now }));

  it('are added up by local day', async () => {
    const { sessions: all } = await home.sessions().list('claude');
    const today = all.filter(({ lastAt = 0 }) => localDay(lastAt) === localDay(now)).length;
    assert.ok(today > 0);
    assert.deepEqual(await home.sessions().used('claude'), {
      today: { tokens: today * 530, costUsd: 0, unsure: 0, isCut: false },
      week: { tokens: 50 * 530, costUsd: 0, unsure: 0, isCut: false },
      sessions: 50,
      isSilent: false,
      limits: [],
    });
    assert.equal((await home.sessions().used('codex')).week.tokens, 50 * 530);
    assert.equal((await home.sessions({ now: () => now + 8 * day }).used('claude')).sessions, 0);
  });

  it('are at least those of the beginning and the end of a long file, until all of it was read', async () => {
    const { fs, reads } = notedFs();
    const all = home.sessions({ fs });
    const [session = assert.fail('no session')] = (await all.list('claude', { limit: 1 })).sessions;
    const [, answer = ''] = readFileSync(session.path, 'utf8').split('\n');
    const more = Array.from({ length: 500 }, (_, n) =>
      answer.replaceAll('msg_0', () => `msg_more${n}`).replace(/"uuid":"[^"]*"/, () => `"uuid":"more${n}"`),
    );
    appendFileSync(session.path, `${more.join('\n')}\n`);
    utimesSync(session.path, now / 1000, now / 1000);
    const before = reads.length;
    const { week } = await all.used('claude');
    assert.equal(week.unsure, 1);
    assert.ok(week.tokens > 60 * 530 && week.tokens < 200 * 530);
    const read = reads.slice(before).reduce((sum, { bytes }) => sum + bytes, 0);
    assert.ok(read < 200_000, `read ${read} bytes`);
    const later = home.sessions();
    await later.countLong('claude');
    assert.deepEqual((await later.used('claude')).week, { tokens: 550 * 530, costUsd: 0, unsure: 0, isCut: false });

    const [changed = assert.fail('no session')] = (await all.list('claude', { limit: 1 })).sessions;
    const usage = { totalTokens: 1_000_000, costUsd: 2, basis: 'turn' };
    all.noteUsed(changed, [{ kind: 'turn', startedAt: now, endedAt: now, usage } as unknown as Span]);
    const { week: exact } = await all.used('claude');
    assert.deepEqual(exact, { tokens: 1_000_000 + 49 * 530, costUsd: 2, unsure: 0, isCut: false });
  });

  it('include those of subagents in files of their own, also once the session was opened', async () => {
    makeSavedHome(home.path);
    const all = home.sessions({ now: () => Date.parse('2026-11-20T12:00:00Z') });
    const listed = async (withUse: boolean): Promise<readonly SavedSession[]> =>
      (await all.list('claude', { withUse, limit: 500 })).sessions.filter(({ id }) => id.endsWith('6d2f2f1b7a11'));
    const tokens = (sessions: readonly SavedSession[]): number =>
      sessions.flatMap(({ used = [] }) => used).reduce((sum, one) => sum + one.tokens, 0);
    // Three turns of the session, two of its subagent, and another session's.
    const [before, alone] = [tokens(await listed(true)), await listed(false)];
    assert.ok(before > tokens(alone), `${before} of ${tokens(alone)}`);
    const parent = alone.at(-1) ?? assert.fail('no session');
    const run = await home.opened(all.open(parent));
    all.noteUsed(parent, run.log.spans({ kinds: ['turn', 'subagent'] }));
    assert.equal(tokens(await listed(true)), before, 'the same as the ends of its files say');
  });

  it('of rows in a database are added up by day, without those that a fork copied', async () => {
    if (!hasSqlite) return;
    makeSamples(home.path);
    const cline = await home.sessions({ now: () => 1_795_500_000_000 }).used('cline');
    assert.ok(cline.week.tokens > 4000 && !cline.isSilent, 'in the document, not beside it');
    const all = (time: number) => home.sessions({ now: () => time });
    const { week, sessions: count, isSilent } = await all(1_795_401_400_000).used('opencode');
    const listed = (await all(1_795_401_400_000).list('opencode', { withUse: true })).sessions;
    const usedBy = (id: string) =>
      listed.find((one) => one.id === id)?.used?.map(({ tokens, costUsd }) => [tokens, costUsd]);
    assert.deepEqual(usedBy('ses_byhand12fork'), [[1260, 0.003]]);
    assert.deepEqual(usedBy('ses_byhand06parent')?.length, 1);
    assert.ok(week.tokens > 20_000 && week.costUsd > 0.05 && count > 10 && !isSilent, JSON.stringify(week));
    const goose = await all(Date.UTC(2026, 10, 24, 12)).used('goose');
    assert.deepEqual(goose.week, { tokens: 2520, costUsd: 0.014, unsure: 0, isCut: false });
  });

  it('are those of sessions that worked since, whenever their files changed, and an agent that can’t be read is named', async () => {
    const session = { agent: 'claude', path: '/a', size: 1, modifiedAt: now } as const;
    const saved = [
      { ...session, id: 'new', lastAt: now - 1 },
      { ...session, id: 'old', lastAt: now - day },
    ];
    const lists = {
      list: (agent: SaverId, { since }: ListOptions) => {
        if (agent === 'codex') return Promise.reject(new Error('no disk'));
        const sessions = since === now - 1 ? [...saved, { ...session, id: 'undated' }] : [];
        return Promise.resolve({ sessions, total: 3 });
      },
    };
    const agents = [{ agent: 'codex', name: 'Codex' } as const, { agent: 'claude', name: 'Claude Code' } as const];
    const used: unknown[] = [];
    for await (const { found, problem } of usedSince(now - 1, agents, { sessions: lists })) {
      used.push(problem ? inEnglish(problem) : found.map(({ session: { id }, of }) => `${of.name} ${id}`));
    }
    assert.deepEqual(used, ['Codex: no disk', ['Claude Code new', 'Claude Code undated']]);
  });

  it('are unknown if no session says them', () => {
    const session = { agent: 'claude', id: 'a', path: '/a', size: 1, modifiedAt: now, outcome: 'ok' } as const;
    const used = usedLately([session], now);
    assert.deepEqual([used.isSilent, used.week.unsure], [true, 1]);
    assert.equal(usedLately([session, session], now, 2).week.isCut, true);
    const failed = usedLately([{ ...session, outcome: 'error' }], now);
    assert.deepEqual([failed.isSilent, failed.week.unsure], [false, 0], 'may have used none');
  });
});
