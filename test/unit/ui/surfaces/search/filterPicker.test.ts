import '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { quickPicks } from '../../../../support/fakeQuickPick';
import type { FakeQuickPick } from '../../../../support/fakeQuickPick';
import { pickSessionFilter } from '../../../../../src/ui/surfaces/search/filterPicker';

describe('the picker of a filter for saved sessions', () => {
  const facts = [
    { agent: 'Codex', folder: '/home/me/shop', model: 'gpt-5', outcome: 'failed' as const },
    { agent: 'Claude Code', folder: '/home/me/garden', model: 'claude-opus-4-6' },
  ];

  function open(current?: string): { readonly picker: FakeQuickPick; readonly picked: Promise<string | undefined> } {
    const picked = pickSessionFilter(current, Promise.resolve(facts));
    return { picker: quickPicks.at(-1)!, picked };
  }

  const texts = (picker: FakeQuickPick): unknown[] => picker.items.map(({ description }) => description);

  it('offers the keys at first, and what the sessions have afterwards', async () => {
    const { picker, picked } = open();
    assert.deepEqual(texts(picker), [
      'agent: – an agent by its name',
      'folder: – a folder by its name',
      'model: – the model that the session used last',
      'outcome: – how the last turn ended, or running',
    ]);
    picker.accept(picker.items[2]!);
    await picker.until(({ length }) => length === 2);
    assert.deepEqual(texts(picker), ['model:claude-opus-4-6', 'model:gpt-5']);
    picker.accept(picker.items[1]!);
    assert.equal(picker.value, 'model:gpt-5 ');
    picker.type('model:gpt-5 outcome:fa');
    assert.deepEqual(texts(picker)[0], 'outcome:failed', 'a value that is unknown so far');
    picker.accept(picker.items[0]!);
    assert.deepEqual(texts(picker), ['Show only model:gpt-5 outcome:failed']);
    picker.accept(picker.items[0]!);
    assert.equal(await picked, 'model:gpt-5 outcome:failed');
  });

  it('applies a part of a name at once', async () => {
    const { picker, picked } = open();
    picker.type('folder:sh');
    await picker.until(({ length }) => length === 2);
    assert.deepEqual(texts(picker), ['Show only folder:sh', 'folder:shop']);
    picker.accept(picker.items[0]!);
    assert.equal(await picked, 'folder:sh');
  });

  it('says what is filtered, and shows all again', async () => {
    const { picker, picked } = open('outcome:failed');
    assert.equal(picker.title, 'Filter Saved Sessions · outcome:failed');
    assert.equal(texts(picker)[0], 'Show all sessions');
    picker.type('');
    assert.equal(texts(picker)[0], 'Show all sessions');
    picker.accept(picker.items[0]!);
    assert.equal(await picked, '');
  });

  it('says what it does not understand', () => {
    const { picker } = open();
    picker.type('color:red');
    assert.match(String(texts(picker).at(-1)), /^Show only color:red \(.*isn’t a known key/);
  });
});
