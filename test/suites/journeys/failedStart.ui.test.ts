import * as assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { configureAgents, execute } from '../support';
import { poll } from '../waiting';
import { Journey } from './journey';

describe("A journey: an agent that doesn't start", () => {
  const journey = Journey.ofSuite('2-start');
  const { page, workbench } = journey;
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(401, { 'content-type': 'text/plain' }).end();
  });

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await configureAgents({
      Folder: { command: 'node', cwd: '/no/such/folder' },
      Program: { command: '/no/such/uvx', args: ['some-agent'] },
      Locked: { protocol: 'mcp', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` },
    });
  });

  after(() => void server.close());

  /** The button that helps, and what the notification and the explanation both say. */
  const failures = [
    ['Folder', 'Open Setting', '/no/such/folder'],
    ['Program', 'Install {0}…', 'uv'],
    ['Locked', 'Log In', '401'],
  ] as const;
  for (const [name, button, said] of failures) {
    it(`says what to do, and helps with it: ${name}`, async () => {
      await execute('notifications.clearAll');
      await execute('workbench.action.closeAllEditors');
      await journey.clickAction(name, 'Start Agent…');
      const told = (await workbench.notified(`${name}: `)).find((text) => text.startsWith(`${name}: `));
      assert.ok(told?.includes(said), told);
      await journey.picture(`${name.toLowerCase()}-told`);
      await workbench.answerNotification(`${name}: `, journey.t('Why?'));
      await page.ready();
      await page.details.getByRole('heading', { name: journey.t('What happened') }).waitFor();
      await page.details.getByRole('button', { name: journey.t(button, 'uv') }).waitFor();
      const explained = (await page.details.innerText()).replace(/\s+/g, ' ');
      assert.ok(explained.includes(said), explained);
      const copies = await page.details.getByRole('button', { name: journey.t('Copy Command') }).count();
      assert.equal(copies, name === 'Program' ? 1 : 0);
      await journey.explorerPicture(`${name.toLowerCase()}-why`);
    });
  }

  it('opens the setting that is wrong', async () => {
    await execute('workbench.action.closeAllEditors');
    await workbench.clickTreeRow('Folder');
    await page.ready();
    await page.details.getByRole('button', { name: journey.t('Open Setting') }).click();
    await poll(() => vscode.window.activeTextEditor?.document.uri.path ?? '').until((path) =>
      path.endsWith('/.vscode/settings.json'),
    );
    const { document } = vscode.window.activeTextEditor!;
    await poll(() => document.getText(vscode.window.activeTextEditor?.selection)).until(
      (selected) => selected === '"Folder"',
    );
    await journey.picture('setting');
  });
});
