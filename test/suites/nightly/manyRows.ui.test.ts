import * as assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ExplorerPage } from '../explorerPage';
import { agentLogs, inWindow, temporaryFolder } from '../support';

/** The used part of HTMLElement, because the suites are compiled without browser types. */
interface ScrollElement {
  scrollTop: number;
  readonly scrollHeight: number;
}

describe('In the window: the Log Explorer with many rows', () => {
  const workbench = inWindow();
  const folder = temporaryFolder();

  it('scrolls to the last of more rows than Chromium can lay out, at two device pixel ratios', async () => {
    const page = new ExplorerPage(workbench);
    const uri = vscode.Uri.file(join(folder, 'many.ndjson'));
    const count = 400_000; // 8.8 million CSS pixels
    const line = (n: number): string => `{"level":"info","time":${1_760_000_000_000 + n},"msg":"record ${n}"}\n`;
    writeFileSync(uri.fsPath, Array.from({ length: count }, (_, n) => line(n + 1)).join(''));
    const many = await (await agentLogs()).open(uri);
    await page.open(many.id);
    await page.total((total) => total === count);
    const [width, height] = await workbench.page.evaluate<[number, number]>('[innerWidth, innerHeight]');
    const cdp = await workbench.page.context().newCDPSession(workbench.page);
    try {
      for (const deviceScaleFactor of [1, 2]) {
        const size = { width: 1280, height: 800, mobile: false };
        await cdp.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor });
        await page.grid.focus();
        await workbench.page.keyboard.press('Home');
        await page.activeRowUntil((text) => text.endsWith('record 1'));
        await workbench.page.keyboard.press('End');
        await page.activeRowUntil((text) => text.endsWith(`record ${count}`));
        const bottom = await page.grid.evaluate((grid: ScrollElement) => {
          grid.scrollTop = 0;
          grid.scrollTop = grid.scrollHeight;
          return grid.scrollHeight;
        });
        assert.ok(bottom <= 8_000_000, `${bottom} pixels`);
        const last = page.locator(`#row-${count - 1}`);
        await last.getByText(`record ${count}`).waitFor();
        assert.ok((await page.locator('.row').count()) <= 80);
      }
    } finally {
      await cdp.send('Emulation.clearDeviceMetricsOverride');
      await cdp.detach();
      await workbench.page.setViewportSize({ width, height });
    }
  });
});
