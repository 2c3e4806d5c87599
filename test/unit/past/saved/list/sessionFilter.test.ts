import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SavedFile } from '../../../../../src/past/saved/savedSession';
import { nodeFs } from '../../../../../src/past/saved/list/savedFs';
import { SavedCache } from '../../../../../src/past/saved/list/savedCache';
import { SavedSessions } from '../../../../../src/past/saved/list/savedSessions';
import { savers } from '../../../../../src/agents/agents';
import { parseSessionFilter, savedFacts } from '../../../../../src/past/saved/list/sessionFilter';
import { column } from '../../../../support/columns';
import { makeManySessions } from '../../../../support/manySessions';
import { savedHomeOptions } from '../../../../support/savedHome';

const now = 1_796_000_000_000;

describe('a filter of saved sessions', () => {
  const session = { agent: 'Claude Code', folder: '/home/me/shop', model: 'claude-opus-4-6', title: 'Fix the parser' };
  const fits = (text: string, outcome: 'failed' | 'running' = 'failed'): boolean | undefined =>
    parseSessionFilter(text)?.fits({ ...session, outcome });

  it('tests agent, folder, model, outcome and words of the title', () => {
    for (const text of ['agent:claude', 'folder:shop', 'model:opus', 'outcome:failed', 'PARSER fix', 'model:*4-6']) {
      assert.equal(fits(text), true, text);
    }
    for (const text of ['agent:codex', 'folder:garden', 'model:sonnet', 'outcome:completed', 'parsers', 'model:4-6*']) {
      assert.equal(fits(text), false, text);
    }
    assert.equal(fits('outcome:running', 'running'), true);
    assert.equal(fits('outcome:completed,failed'), true);
    assert.equal(fits('outcome:completed outcome:failed'), true, 'one of them');
    assert.equal(fits('-outcome:failed'), false);
    assert.equal(fits('-parser'), false);
    assert.equal(fits('outcome:failed -model:sonnet shop:1'), false, 'an unknown key is a text');
    assert.deepEqual(column(parseSessionFilter('outcome:bad')?.hints ?? [], 'type'), ['badValue']);
  });

  it('is none if it selects nothing', () => {
    for (const text of ['', '  ', 'outcome:']) assert.equal(parseSessionFilter(text), undefined);
  });

  it('knows agents that it leaves out, without reading their sessions', () => {
    assert.equal(parseSessionFilter('agent:codex outcome:failed')?.fitsAgent('Claude Code'), false);
    for (const { id, label } of savers) assert.equal(parseSessionFilter(`agent:${id}`)?.fitsAgent(label), true, id);
    assert.equal(parseSessionFilter('-agent:vscode')?.fitsAgent('VS Code Chat'), false);
    assert.equal(parseSessionFilter('outcome:failed')?.fitsAgent('Claude Code'), true);
  });

  it('calls a session open if its file does not say how it ended, and running if it is', () => {
    assert.equal(savedFacts({}, 'x').outcome, 'open');
    assert.equal(savedFacts({ outcome: 'ok', running: 'yes' }, 'x').outcome, 'running');
  });
});

describe('many saved sessions', () => {
  let home: string;
  before(() => {
    home = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    makeManySessions(home, { count: 2000, now });
  });
  after(() => rmSync(home, { recursive: true, force: true }));

  const sessions = (options = {}): SavedSessions => new SavedSessions({ ...savedHomeOptions(home), ...options });

  it('are filtered, newest first, and read only until there are enough', async () => {
    const filter = parseSessionFilter('outcome:failed');
    const all = await sessions().list('claude', { filter });
    assert.equal(all.sessions.length, 20);
    assert.ok(all.sessions.every(({ outcome }) => outcome === 'error'));
    assert.equal(all.read, undefined);
    const read: number[] = [];
    const onProgress = (progress: { readonly read: number }): unknown => read.push(progress.read);
    const two = await sessions().list('claude', { filter, limit: 2, onProgress });
    assert.deepEqual(column(two.sessions, 'id'), column(all.sessions.slice(0, 2), 'id'));
    assert.ok(read.at(-1)! <= 112, 'the second is the hundredth');
  });

  it('are looked through up to a number, and the list says how many that was', async () => {
    const filter = parseSessionFilter('needle outcome:completed');
    const part = await sessions().list('codex', { filter, maxRead: 320 });
    assert.deepEqual([part.sessions.length, part.read, part.total], [0, 320, 1000]);
    const folders = ['/home/me/project3'];
    const inFolder = await sessions().list('codex', { folders, maxRead: 320 });
    assert.deepEqual([inFolder.sessions.length, inFolder.read], [4, 320]);
  });

  it('are listed several times after looking for files once', async () => {
    let stats = 0;
    const stat = (path: string) => {
      stats++;
      return nodeFs.stat(path);
    };
    const fs = { ...nodeFs, stat };
    const list = sessions({ fs }).lister('codex');
    await list({ limit: 1 });
    const before = stats;
    assert.equal((await list({ limit: 20 })).sessions.length, 20);
    assert.ok(stats - before < 100);
  });

  it('are cached with those that changed last, in a bounded file', async () => {
    const path = join(home, 'cache.json');
    const cache = new SavedCache(path);
    const file = (at: number): SavedFile => {
      return { agent: 'claude', id: `${at}`, path: `/p/${at}`, size: 1, modifiedAt: at };
    };
    const count = 60_000;
    // Newest first, as they are read.
    for (let at = count; at > 0; at--) cache.set(file(at), { title: 'x'.repeat(50) });
    await cache.save();
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    assert.equal(lines.length, 20_001);
    assert.ok(statSync(path).size < 4_000_000);
    const next = new SavedCache(path);
    await next.load();
    assert.ok(next.get(file(count)));
    assert.equal(next.get(file(count - 20_000)), undefined);
  });
});
