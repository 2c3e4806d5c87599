import assert from 'node:assert/strict';
import { ExplorerWindow, WrittenRun } from '../../support/explorerWindow';
import { describeWithEsbuild } from '../../support/platform';
import { line } from '../../support/wireRows';

describeWithEsbuild('explorer: the filter', () => {
  let page: ExplorerWindow;
  beforeEach(async () => {
    page = await ExplorerWindow.open(new WrittenRun([line(0, 'c2a', { id: 1, method: 'initialize', params: {} })]));
  });
  afterEach(() => page.close());

  const isListOpen = (): boolean => page.find('#suggestions')?.hasAttribute('hidden') === false;

  async function suggest(text: string): Promise<void> {
    await page.type(text);
    await page.until(isListOpen);
  }

  async function show(tab: string): Promise<void> {
    page.click(`#tab-${tab}`);
    await page.until(() => page.find(`#tab-${tab}[aria-selected=true]`));
  }

  for (const tab of ['log', 'wire', 'turns']) {
    it(`suggests nothing in ${tab} until something is typed`, async () => {
      await show(tab);
      page.filter.focus();
      page.click('#filter');
      await page.settled();
      assert.equal(isListOpen(), false);
      await suggest('s');
    });
  }

  it('suggests keys for an empty filter at Ctrl+Space', async () => {
    page.filter.focus();
    page.press(' ', { ctrl: true });
    await page.until(isListOpen);
    assert.ok(page.all('#suggestions [role=option]').length > 3);
  });

  it('explains each key with an example, in every tab', async () => {
    for (const [tab, key, about] of [
      ['log', 'lev', 'level:this level and above; with = only thislevel:warning'],
      ['wire', 'met', 'method:a method; * for anythingmethod:session/*'],
      ['turns', 'ctx', 'ctx:how full the context is, in percentctx:>80'],
    ] as const) {
      await show(tab);
      await page.type(key);
      await page.until(() => page.text('#suggestions [role=option]') === about, tab);
    }
  });

  it('takes the first suggestion, or the chosen one, at Tab, and closes', async () => {
    await suggest('lev');
    page.press('Tab');
    await page.until(() => page.filter.value === 'level:' && !isListOpen());
    assert.equal(page.focused?.id, 'filter');
    await page.settled();
    assert.equal(isListOpen(), false);
    await suggest('level:');
    page.press('ArrowDown');
    await page.settled();
    page.press('ArrowDown');
    await page.settled();
    page.press('Tab');
    await page.until(() => page.filter.value === 'level:info' && !isListOpen());
  });

  it('suggests nothing that is there already, so that Tab leaves the box', async () => {
    await suggest('level:emergenc');
    await page.type('level:emergency');
    await page.until(() => !isListOpen());
  });

  it('closes its suggestions when it is emptied, at a press outside, and when the tab changes', async () => {
    await suggest('lev');
    await page.type('');
    await page.until(() => !isListOpen());
    await suggest('l');
    page.click('h1');
    await page.until(() => !isListOpen());
    await suggest('le');
    page.click('#tab-wire');
    await page.until(() => !isListOpen());
  });

  it('is a combobox that says whether its suggestions are open', async () => {
    const { filter } = page;
    assert.equal(filter.getAttribute('role'), 'combobox');
    assert.equal(filter.getAttribute('aria-label'), 'Filter');
    assert.equal(filter.getAttribute('aria-expanded'), 'false');
    await page.type('le');
    await page.until(() => filter.getAttribute('aria-expanded') === 'true');
    assert.ok(page.find(`#${filter.getAttribute('aria-controls')}[role=listbox]`));
    page.press('Escape');
    await page.until(() => filter.getAttribute('aria-expanded') === 'false');
  });

  it('says in every tab why an expression is invalid, until it is corrected', async () => {
    for (const tab of ['log', 'wire', 'turns']) {
      await show(tab);
      await page.type('/(/');
      await page.until(() => /Invalid regular expression/.test(page.text('[role=alert]')), tab);
      await page.type('init');
      await page.until(() => page.text('[role=alert]') === '', tab);
    }
  });

  it('suggests values with their counts in every tab, and says which value it does not know', async () => {
    for (const tab of ['log', 'wire', 'turns']) {
      await show(tab);
      await page.type('kind:');
      await page.until(() => page.texts('#suggestions .detail').some((detail) => /^\d+$/.test(detail)), tab);
      await page.type(tab === 'log' ? 'level:failed' : 'status:failed');
      await page.until(() => /‘failed’ isn’t a valid value/.test(page.text('.top')), tab);
    }
  });
});
