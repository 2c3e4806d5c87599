import '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import type { FakeQuickPick } from '../../../../support/fakeQuickPick';
import { quickPicks } from '../../../../support/fakeQuickPick';
import type { SearchEnd, SearchEvents } from '../../../../../src/search/sessionSearch';
import type { SearchedSession } from '../../../../../src/search/searchedSession';
import type { RecentSession } from '../../../../../src/ui/surfaces/search/recentSessions';
import type { PickedHit } from '../../../../../src/ui/surfaces/search/searchPicker';
import { SearchPicker } from '../../../../../src/ui/surfaces/search/searchPicker';

function session(key: string): SearchedSession {
  const label = (): Promise<{ title: string }> => Promise.resolve({ title: key });
  return { key, modifiedAt: 0, paths: [key], label, open: () => assert.fail('opened') };
}

function recent(key: string, label: string, agent = 'Codex'): RecentSession {
  const facts = { agent, folder: `/home/me/${key} project` };
  return { session: session(key), label, description: `${agent} · 2 min ago`, detail: 'exit 1', facts };
}

describe('the picker of sessions', () => {
  const searches: string[] = [];

  function open(query = ''): { readonly picker: FakeQuickPick; readonly picked: Promise<PickedHit | undefined> } {
    searches.length = 0;
    const search = (text: string, { onHits }: SearchEvents): Promise<SearchEnd> => {
      searches.push(text);
      const hit = { context: `a line with ${text}`, place: { type: 'row', text } } as const;
      if (text !== 'nowhere') onHits({ session: session('found'), hits: [hit], hasMore: false });
      return Promise.resolve('done');
    };
    const all = [recent('a', 'Fix the parser'), { heading: 'Other Folders' }, recent('b', 'Write a test')];
    const picked = new SearchPicker(search, { title: 'Open', query, recent: Promise.resolve(all) }).pick();
    return { picker: quickPicks.at(-1)!, picked };
  }

  it('shows the recent sessions while nothing is typed', async () => {
    const { picker, picked } = open();
    const items = await picker.until(({ length }) => length > 0);
    const shown = items.map(({ label, kind }) => (kind === -1 ? `– ${label} –` : label));
    assert.deepEqual(shown, ['Fix the parser', '– Other Folders –', 'Write a test']);
    picker.accept(items[2]!);
    const { session: chosen, hit, query } = (await picked)!;
    assert.deepEqual([chosen.key, hit, query, searches], ['b', undefined, '', []]);
    assert.equal(picker.title, 'Open');
  });

  it('shows recent sessions by name and what is found in all, once something is typed', async () => {
    const { picker, picked } = open();
    await picker.until(({ length }) => length > 0);
    picker.type('codex parser');
    const items = await picker.until((some) => some.some(({ label }) => label === '$(quote)'));
    const shown = items.map(({ label, description = '' }) => `${label} ${description.split(' · ')[0]}`);
    const quote = '$(quote) a line with codex parser';
    assert.deepEqual(shown, ['$(history) Fix the parser', '$(comment-discussion) found', quote]);
    assert.equal(picker.activeItems[0], items[2], 'Enter opens the first hit');
    picker.accept(items[0]!);
    assert.equal((await picked)?.session.key, 'a');
    assert.deepEqual(searches, ['codex parser']);
  });

  it('completes agents and folders, and lists recent sessions of the agent without searching', async () => {
    const { picker } = open();
    await picker.until(({ length }) => length > 0);
    picker.type('ag');
    await picker.until((items) => items.some(({ label }) => label === '$(filter) agent:'));
    picker.type('agent:cod');
    const items = await picker.until((some) => some.some(({ label }) => label === '$(filter) agent:Codex'));
    assert.equal(picker.activeItems[0], items[0], 'Enter completes a value');
    picker.accept(items[0]!);
    assert.equal(picker.value, 'agent:Codex ');
    const listed = await picker.until((some) => !some.some(({ label }) => label.startsWith('$(filter)')));
    const names = listed.map(({ description = '' }) => description.split(' · ')[0]);
    assert.deepEqual(names, ['Fix the parser', 'Write a test']);
    picker.type('folder:a');
    const [folder] = await picker.until((some) => some.some(({ label }) => label.startsWith('$(filter) folder:')));
    picker.accept(folder!);
    assert.equal(picker.value, 'folder:"a project" ');
    assert.deepEqual(searches, []);
  });

  it('opens a session with the part of the search that is about its records', async () => {
    const { picker, picked } = open();
    picker.type('parser agent:codex');
    const items = await picker.until((some) => some.some(({ label }) => label === '$(comment-discussion)'));
    picker.accept(items.find(({ label }) => label === '$(comment-discussion)')!);
    assert.equal((await picked)?.query, 'parser');
    assert.deepEqual(searches, ['parser agent:codex']);
  });

  it('says what may help if nothing is found, until something else is typed', async () => {
    const { picker, picked } = open();
    picker.type('nowhere');
    const [item] = await picker.until(([first]) => first?.label === '$(info)');
    assert.equal(item?.description, 'Nothing found. Try fewer or other words, or another filter.');
    picker.accept(item);
    picker.type('parser');
    const items = await picker.until((some) => some.some(({ label }) => label === '$(quote)'));
    assert.ok(!items.includes(item));
    picker.accept(items.at(-1)!);
    assert.equal((await picked)?.session.key, 'found');
  });

  it('shows the recent sessions again when the text is deleted', async () => {
    const { picker } = open('parser');
    await picker.until((items) => items.some(({ label }) => label === '$(quote)'));
    picker.type('');
    const items = await picker.until((some) => some.length === 3 && some[1]?.kind === -1);
    assert.equal(items[0]?.label, 'Fix the parser');
  });
});
