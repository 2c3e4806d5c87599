import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { Redactor } from '../../../src/redact/redactor';
import type { FileRun } from '../../../src/past/files/fileRun';
import type { FileRuns } from '../../../src/past/files/fileRuns';
import { recordOfHit } from '../../../src/search/recordOfHit';
import { journalSessions, savedSearchedSessions } from '../../../src/search/searchedSession';
import type { SearchedSession } from '../../../src/search/searchedSession';
import { parseSearch } from '../../../src/search/searchQuery';
import type { SearchEnd, SearchEvents, SearchServices, SessionHits } from '../../../src/search/sessionSearch';
import { SessionSearch } from '../../../src/search/sessionSearch';
import { nodeScan } from '../../../src/search/textScan';
import { JournalFolder } from '../../../src/wire/journal/journalFolder';
import { newFileRuns } from '../../support/fileRuns';
import { useSavedHome } from '../../support/savedSuite';

const at = '2026-11-22T10:00:00.000Z';
/** A line of a journal: from standard error, and a message. */
const printed = (line: string): object => ({ t: at, ms: 1, dir: 'err', line });
const message = (params: object): object => {
  return { t: at, ms: 1, dir: 'a2c', msg: { jsonrpc: '2.0', method: 'log', params } };
};

describe('searching all sessions', () => {
  let fileRuns: FileRuns;
  afterEach(() => fileRuns.dispose());
  const home = useSavedHome('filled');
  beforeEach(() => (fileRuns = newFileRuns(new JournalFolder(home.in('journals')))));

  interface Found {
    readonly end: SearchEnd;
    readonly groups: readonly SessionHits[];
    readonly searched: number;
  }

  const searchIn = (sessions: SearchServices['sessions'], redactor?: Redactor): SessionSearch =>
    new SessionSearch({ sessions, scan: nodeScan, redactor, discard: (run) => fileRuns.discard(run) });
  const silent = (signal = new AbortController().signal): SearchEvents => {
    return { signal, onHits: () => undefined, onProgress: () => undefined };
  };
  const savedSessions = (signal: AbortSignal): ReturnType<SearchServices['sessions']> =>
    savedSearchedSessions(home.sessions(), fileRuns, signal);

  async function search(text: string, signal = new AbortController().signal): Promise<Found> {
    const groups: SessionHits[] = [];
    let searched = 0;
    const both: SearchServices['sessions'] = async (one) =>
      (await Promise.all([journalSessions(fileRuns), savedSessions(one)])).flat();
    const onHits = (found: SessionHits): unknown => groups.push(found);
    const events = { signal, onHits, onProgress: (progress: { searched: number }) => ({ searched } = progress) };
    const end = await searchIn(both, new Redactor()).search(text, events);
    return { end, groups, searched };
  }

  const contexts = (groups: readonly SessionHits[]): string[] =>
    groups.flatMap(({ hits }) => hits.map(({ context }) => context));

  function writeJournal(name: string, ...lines: object[]): void {
    const about = { journal: 1, agent: 'Shop', protocol: 'acp', command: ['shop'], cwd: '/shop', part: 1 };
    home.write(`journals/2026-11-22T10-00-00-000Z ${name} 0a1b2c3d.ndjson`, [{ ...about, startedAt: at }, ...lines]);
  }

  it('goes on after a compressed session that is broken', async () => {
    const name = 'rollout-2026-11-01T09-10-35-01a20285-0000-7d82-b6e3-3fea093e7fa1.jsonl.zst';
    home.write(`.codex/archived_sessions/${name}`, 'not compressed');
    const { end, groups } = await search('find all todos');
    assert.deepEqual([end, groups.length > 0], ['done', true]);
  });

  it('finds words in saved sessions and their subagents, with the surrounding text', async () => {
    const { end, groups } = await search('find all todos');
    assert.equal(end, 'done');
    assert.deepEqual(contexts(groups), ['Find all TODOs.']);
    const about = { agent: 'Claude Code', folder: '/home/me/project', model: 'claude-sonnet-4-5' };
    const label = { title: 'Parser tests', ...about, outcome: 'completed', lastAt: 1795168834000 };
    assert.deepEqual(await groups[0]?.session.label(), label);
  });

  it('searches only the sessions of an agent, or in a folder', async () => {
    writeJournal('shop', printed('the tests of the shop'));
    const titles = async (text: string): Promise<readonly string[]> => {
      const labels = (await search(text)).groups.map(({ session }) => session.label());
      return [...new Set((await Promise.all(labels)).map(({ agent, title }) => agent ?? title))].sort();
    };
    const all = await titles('tests');
    for (const agent of ['Claude Code', 'Codex', 'Shop']) assert.ok(all.includes(agent), agent);
    assert.deepEqual(await titles('tests agent:shop'), ['Shop']);
    assert.deepEqual(await titles('agent:claude,shop tests'), ['Claude Code', 'Shop']);
    const others = all.filter((agent) => agent !== 'Claude Code');
    assert.deepEqual(await titles('tests -agent:claude'), others);
    assert.deepEqual(await titles('tests folder:/shop'), ['Shop']);
    assert.deepEqual(await titles('tests folder:nowhere'), []);
    assert.deepEqual(await titles('tests agent:c*code'), ['Claude Code'], 'with a star, the whole name');
    assert.deepEqual(await titles('tests model:sonnet'), ['Claude Code']);
    assert.deepEqual(await titles('tests outcome:failed agent:claude'), []);
    assert.deepEqual(await titles('level:info agent:shop'), ['Shop']);
    assert.deepEqual(await titles('agent:shop'), [], 'asks for nothing in the sessions');
  });

  it('keeps the text that asks for records', () => {
    const { recordText, isLimited } = parseSearch('agent:codex "two words" -folder:a level:error');
    assert.deepEqual([recordText, isLimited], ['"two words" level:error', true]);
    assert.deepEqual([parseSearch(' tests ').recordText, parseSearch('tests').isLimited], ['tests', false]);
  });

  it('finds words in journals, in any case, and only lines that have all of them', async () => {
    writeJournal('shop', ...['The price list of Größe 7', 'The weather'].map((text) => message({ text })));
    assert.deepEqual(contexts((await search('LIST price')).groups), ['The price list of Größe 7']);
    assert.deepEqual(contexts((await search('price weather')).groups), []);
  });

  it('finds quoted text across escapes', async () => {
    writeJournal('shop', printed('said "go on" to C:\\temp'));
    assert.deepEqual(contexts((await search('"\\"go on"')).groups), ['said "go on" to C:\\temp']);
    assert.deepEqual(contexts((await search('C:\\temp')).groups), ['said "go on" to C:\\temp']);
  });

  it('shows no secrets, and finds none', async () => {
    const key = `sk-ant-api03-${'Ab3dE6gH'.repeat(11)}`;
    writeJournal('shop', printed(`marker key ${key} end`));
    const [context = ''] = contexts((await search('marker')).groups);
    assert.match(context, /^marker key /);
    assert.ok(!context.includes('Ab3dE6gH'));
    assert.deepEqual(contexts((await search('Ab3dE6gHAb3d')).groups), []);
  });

  it('shows no line of a private key', async () => {
    const { privateKey } = generateKeyPairSync('ed25519', {
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const output = `cat key.pem\n${privateKey}done`;
    writeJournal('key', message({ output }));
    const [, body = ''] = privateKey.split('\n');
    assert.deepEqual(contexts((await search(body.slice(20, 40))).groups), []);
    const [shown = ''] = contexts((await search('key.pem')).groups);
    assert.ok(shown.includes('cat key.pem') && !shown.includes(body.slice(20, 40)), shown);
  });

  it('applies other terms to the records of sessions that have the words', async () => {
    const { groups, searched } = await search('kind:diagnosis npm');
    assert.ok(groups.length > 0);
    assert.ok(contexts(groups).every((context) => /npm/i.test(context)));
    assert.ok(searched > groups.length);
    assert.ok(groups.every(({ hits }) => hits.every(({ place }) => place.type === 'record')));
  });

  it('reads all sessions if there are no words', async () => {
    const { groups } = await search('kind:diagnosis');
    assert.ok(groups.length >= 3);
    assert.equal(fileRuns.open.length, 0, 'nothing stays open');
  });

  it('links a hit to its record', async () => {
    const { groups } = await search('find all todos');
    const [group] = groups;
    assert.ok(group?.hits[0]);
    const run = await fileRuns.show(await group.session.open());
    await run.read();
    const seq = await recordOfHit(run, group.hits[0], ['find', 'all', 'todos']);
    assert.equal(run.log.store.get(seq ?? 0)?.message, 'Find all TODOs.');
  });

  it('lists a text once per session, even if it was saved in several records', async () => {
    const { groups } = await search('helper "ask a"');
    assert.ok(groups.length > 0);
    for (const group of groups) assert.deepEqual(contexts([group]), ['Ask a helper to find the TODOs.']);
  });

  it('can be stopped', async () => {
    assert.equal((await search('the', AbortSignal.abort())).end, 'stopped');
  });

  it('lists the sessions once for all that is typed, and stops listing when it is closed', async () => {
    let lists = 0;
    let listing: AbortSignal | undefined;
    let listed: (sessions: readonly SearchedSession[]) => void = () => undefined;
    const all = searchIn((one) => {
      lists++;
      listing = one;
      return new Promise((resolve) => (listed = resolve));
    });
    const first = new AbortController();
    const stopped = all.search('one', silent(first.signal));
    first.abort(); // The next key was pressed while the sessions were being listed.
    assert.equal(await stopped, 'stopped');
    const second = all.search('two', silent());
    assert.equal(listing?.aborted, false);
    listed([]);
    assert.equal(await second, 'done');
    assert.equal(await all.search('three', silent()), 'done');
    assert.equal(lists, 1);
    all.dispose();
    assert.ok(listing.aborted);
  });

  it('reads no session that was being opened when it was stopped', async () => {
    writeJournal('shop', printed('needle'));
    const stop = new AbortController();
    const opened: FileRun[] = [];
    const sessions: SearchServices['sessions'] = async () =>
      (await journalSessions(fileRuns)).map((session) => ({
        ...session,
        open: async () => {
          opened.push(await session.open());
          stop.abort();
          return opened[0]!;
        },
      }));
    const services = { sessions, scan: nodeScan, redactor: undefined, discard: () => Promise.resolve() };
    assert.equal(await new SessionSearch(services).search('level:debug', silent(stop.signal)), 'stopped');
    assert.deepEqual([opened.length, opened[0]?.state.type], [1, 'unread']);
  });

  it('says if a session has more hits than it reports', async () => {
    writeJournal('shop', ...Array.from({ length: 50 }, (_, n) => printed(`needle ${n}`)));
    const { groups } = await search('needle');
    assert.deepEqual([groups[0]?.hits.length, groups[0]?.hasMore], [20, true]);
  });

  it('skips files that disappear', async () => {
    cpSync('test/fixtures/saved/claude-failed.jsonl', home.in('journals', 'x.ndjson'));
    const disappearing = searchIn(async (one) => {
      const all = await savedSessions(one);
      rmSync(home.in('.claude'), { recursive: true });
      return all;
    });
    assert.equal(await disappearing.search('todos', silent()), 'done');
  });
});
