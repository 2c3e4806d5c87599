// The page of a shared run in real browsers, from `file:`: `npm run test:browsers`.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { chromiumPath } from '../../scripts/vscode/chromium.mjs';
import type { SharedRecord } from '../../src/share/sharedRun';
import { Firefox } from './firefox';
import { SharedFiles } from './sharedFile';

const recording = 'test/fixtures/acp/claude-v2-sub-error.ndjson';
const axe = readFileSync(
  join(dirname(createRequire(__filename).resolve('axe-core/package.json')), 'axe.min.js'),
  'utf8',
);
const hostile = [
  '<script>document.title = "hacked"</script>',
  '</script><script>document.title = "hacked"</script>',
  '<img src=x onerror="document.title = 1"><iframe srcdoc="<b>"></iframe>',
  '<!--<script>',
  '\u2028alert(1)\u2029',
  'javascript:document.title=1',
  '\u0000\u0007\u001b[31mred\u001b[0m\u202eabc\ud800',
  '\'"`${document.title = 1}',
  '__proto__',
  '<b>'.repeat(350_000), // 1 MiB
];
/** A busy machine takes a second for what takes milliseconds on an idle one. */
const timeoutMs = 45_000;

describe('a shared run', function () {
  this.timeout(240_000);
  const files = new SharedFiles();
  let address = '';
  before(async () => {
    await files.build();
    address = await files.recording(recording);
  });
  after(() => files.remove());

  describe('in Chromium', () => {
    let browser: Browser;
    before(async () => {
      browser = await chromium.launch({
        executablePath: await chromiumPath(),
        args: ['--no-sandbox', '--disable-gpu'],
      });
    });
    after(() => browser.close());

    /** What the pages of a test asked for and complained about. */
    let asked: string[] = [];
    let complaints: string[] = [];
    afterEach(async () => {
      for (const context of browser.contexts()) await context.close();
      assert.deepEqual(complaints, []);
      assert.deepEqual([...new Set(asked.filter((url) => !/^(?:file|blob):/.test(url)))], []);
      [asked, complaints] = [[], []];
    });

    async function opened(url: string, options: BrowserContextOptions = {}): Promise<Page> {
      const page = await browser.newPage({ viewport: { width: 1200, height: 800 }, ...options });
      page.setDefaultTimeout(timeoutMs);
      page.on('request', (request) => asked.push(request.url()));
      page.on('pageerror', ({ message }) => complaints.push(message));
      page.on('console', (message) => complaints.push(message.text()));
      page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`));
      await page.goto(url);
      await page.locator('body[data-ready=true]').waitFor();
      return page;
    }

    it('filters, opens details, and shows Wire and Turns', async () => {
      const page = await opened(address);
      await counts(page, /^(\d+) of \1$/);
      await page.getByRole('combobox', { name: 'Filter' }).fill('logger:turn');
      await counts(page, /^[1-9] of \d\d+$/);
      const log = page.getByRole('grid', { name: 'Log records' });
      await log.getByRole('row').filter({ hasText: 'ended' }).first().click();
      await page.getByRole('region', { name: 'Details' }).getByText('Logger').waitFor();

      await page.getByRole('tab', { name: 'Wire' }).click();
      await page.getByRole('grid', { name: 'Requests' }).getByText('session/new').click();
      const wire = page.getByRole('region', { name: 'Details' }).filter({ visible: true });
      await wire.getByText('"method": "session/new"').waitFor();
      await wire.getByText('answer after').waitFor();

      await page.getByRole('tab', { name: 'Turns' }).click();
      const turns = page.getByRole('treegrid', { name: 'Turns' });
      await turns.locator('[aria-level="2"]').first().waitFor();
      assert.ok((await turns.locator('[aria-expanded=true]').count()) > 0);
    });

    it('explains problems, and goes to them with F8', async () => {
      const page = await opened(address);
      await page.getByRole('button', { name: /^Next problem/ }).waitFor();
      await page.keyboard.press('F8');
      const details = page.getByRole('region', { name: 'Details' }).filter({ visible: true });
      for (const heading of ['Turn failed', 'What happened', 'Why', 'Evidence']) {
        await details.getByRole('heading', { name: heading }).waitFor();
      }
    });

    it('offers nothing that needs an editor', async () => {
      const page = await opened(address);
      await page.getByRole('grid', { name: 'Log records' }).getByRole('row').nth(3).click({ button: 'right' });
      const items = await page.getByRole('menuitem').allTextContents();
      assert.ok(items.some((item) => item.startsWith('Copy as JSON')));
      assert.deepEqual(
        items.filter((item) => /Open|Reveal|Journal|Output/.test(item)),
        [],
      );
      assert.equal(await page.getByRole('button', { name: /Export|Reveal|Open/ }).count(), 0);
    });

    it('runs expressions in a worker, and stops slow ones', async () => {
      const texts = ['an error 429', 'ok', `${'a'.repeat(60)}!`];
      const page = await opened(await files.records(texts.map((text, index) => record(index + 1, text))));
      const filter = page.getByRole('combobox', { name: 'Filter' });
      await filter.fill(String.raw`/error \d+/`);
      await counts(page, /^1 of 3$/);
      await filter.fill('/^(a+)+$/');
      await page.getByRole('alert').filter({ hasText: 'too slow' }).waitFor();
      await filter.fill('ok');
      await counts(page, /^1 of 3$/);
    });

    it('shows and filters 100,000 records', async () => {
      const records = Array.from({ length: 100_000 }, (_, n) => record(n + 1, `message ${n + 1} of many`));
      const page = await opened(await files.records(records));
      await counts(page, /^100,000 of 100,000$/);
      const log = page.getByRole('grid', { name: 'Log records' });
      await log.getByRole('row').filter({ hasText: 'message 100000 of' }).waitFor();
      await page.getByRole('combobox', { name: 'Filter' }).fill('"message 5000 of"');
      await counts(page, /^1 of 100,000$/);
    });

    it('shows hostile texts as text', async () => {
      const records = hostile.map((text, index) => ({
        ...record(index + 1, text),
        data: { text },
        raw: text,
        logger: text.slice(0, 100),
      }));
      const page = await opened(await files.records(records, { name: hostile[1]! }));
      await counts(page, new RegExp(`^${hostile.length} of ${hostile.length}$`));
      await page.getByRole('grid', { name: 'Log records' }).focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('Enter');
      for (const _ of hostile) await page.keyboard.press('ArrowDown');
      await page.getByRole('region', { name: 'Details' }).filter({ visible: true }).getByText('Show raw line').click();
      assert.equal(await page.locator('script:not([type])').count(), 1);
      assert.equal(await page.locator('img, iframe, object, embed, link, a, b, form').count(), 0);
      assert.notEqual(await page.title(), 'hacked');
    });

    it('has nothing that axe-core objects to, dark, light, and 400 pixels wide', async () => {
      for (const options of ['dark 1200', 'light 1200', 'dark 400', 'light 400']) {
        const [colorScheme, width] = [
          options.startsWith('dark') ? 'dark' : 'light',
          Number(options.split(' ')[1]),
        ] as const;
        const page = await opened(address, { colorScheme, viewport: { width, height: 800 } });
        await page.getByRole('button', { name: /^Next problem/ }).waitFor();
        await page.keyboard.press('F8');
        await page.getByRole('heading', { name: 'Evidence' }).waitFor();
        for (const tab of ['Log', 'Wire', 'Turns']) {
          await page.getByRole('tab', { name: tab }).click();
          await page.getByRole('tabpanel').filter({ visible: true }).getByRole('row').nth(1).waitFor();
          assert.deepEqual(await violations(page), [], `${tab}, ${options}`);
        }
      }
    });

    it('follows the system’s colors until its button is pressed, and keeps its state over a reload', async () => {
      const page = await opened(address, { colorScheme: 'light' });
      const light = await background(page);
      await page.getByRole('button', { name: 'Dark theme' }).click();
      assert.notEqual(await background(page), light);
      await page.getByRole('combobox', { name: 'Filter' }).fill('level:error');
      await counts(page, /^[1-9] of \d\d/);
      await page.reload();
      await page.locator('body[data-ready=true]').waitFor();
      assert.equal(await page.getByRole('combobox', { name: 'Filter' }).inputValue(), 'level:error');
      await counts(page, /^[1-9] of \d\d/);
    });
  });

  describe('in Firefox', () => {
    let firefox: Firefox;
    before(async () => {
      firefox = await Firefox.start();
    });
    after(() => firefox.end());

    const status = `document.querySelector('[role=status]')?.textContent ?? ''`;
    const rows = `document.querySelectorAll('[role=tabpanel]:not([hidden]) [role=row][aria-rowindex]:not([hidden])')`;

    it('filters, opens details, and shows Wire and Turns', async () => {
      await firefox.open(address);
      await firefox.until(`document.body.dataset.ready === 'true' && /^(\\d+) of \\1$/.test(${status})`);
      await firefox.evaluate(`document.querySelector('#filter').focus()`);
      await firefox.press(...Array.from('/ended.*ms/'));
      await firefox.until(`/^[1-9] of \\d\\d+$/.test(${status})`);
      await firefox.evaluate(`document.querySelector('[role=grid]').focus()`);
      await firefox.press('\uE011', '\uE007'); // Home, Enter
      await firefox.until(`document.querySelector('[role=region][aria-label=Details] dl, section dl') !== null`);
      await firefox.evaluate(`document.querySelector('#tab-wire').click()`);
      await firefox.until(`[...${rows}].some((row) => row.textContent.includes('session/new'))`);
      await firefox.evaluate(`document.querySelector('#tab-turns').click()`);
      await firefox.until(`document.querySelector('[role=treegrid] [aria-level="2"]') !== null`);
      assert.equal(await firefox.evaluate(`return document.querySelectorAll('[role=alert]').length`), 0);
    });
  });
});

function record(seq: number, message: string): SharedRecord {
  return { seq, receivedAt: 1_700_000_000_000 + seq, level: 'info', kind: 'log', message };
}

/** Settles when the page says how many rows match. */
async function counts(page: Page, text: RegExp): Promise<void> {
  await page.getByRole('status').filter({ hasText: text }).waitFor();
}

function background(page: Page): Promise<string> {
  return page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
}

/** The violations that axe-core finds, one per line. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  return page.evaluate<string[]>(
    `axe.run(document).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`,
  );
}
