import * as assert from 'node:assert/strict';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { configureAgents } from '../support';
import { eventually } from '../workbench';
import { Journey, journeyTimeout } from './journey';

describe("A journey: an agent that doesn't start", function () {
  this.timeout(journeyTimeout);
  let journey: Journey;
  let server: Server;

  before(async () => {
    journey = await Journey.begin('2-start');
    server = createServer((request, response) => {
      request.resume();
      response.writeHead(401, { 'content-type': 'text/plain' }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await configureAgents({
      Folder: { command: 'node', cwd: '/no/such/folder' },
      Program: { command: '/no/such/uvx', args: ['some-agent'] },
      Locked: { protocol: 'mcp', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` },
    });
  });

  after(async () => {
    await journey.end();
    server.close();
  });

  /** The button that helps, and what the notification and the explanation both say. */
  const failures = [
    ['Folder', 'Open Setting', '/no/such/folder'],
    ['Program', 'Install {0}…', 'uv'],
    ['Locked', 'Log In', '401'],
  ] as const;
  for (const [name, button, said] of failures) {
    it(`says what to do, and helps with it: ${name}`, async () => {
      const { page, workbench } = journey;
      await vscode.commands.executeCommand('notifications.clearAll');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await journey.clickAction(name, 'Start Agent…');
      const [told] = await eventually(
        async () => (await workbench.notifications()).filter((text) => text.startsWith(`${name}: `)),
        ({ length }) => length > 0,
      );
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
    const { page } = journey;
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await journey.clickRow('Folder');
    await page.ready();
    await page.details.getByRole('button', { name: journey.t('Open Setting') }).click();
    await eventually(
      () => Promise.resolve(vscode.window.activeTextEditor?.document.uri.path ?? ''),
      (path) => path.endsWith('/.vscode/settings.json'),
    );
    const { document } = vscode.window.activeTextEditor!;
    await eventually(
      () => Promise.resolve(document.getText(vscode.window.activeTextEditor?.selection)),
      (selected) => selected === '"Folder"',
    );
    await journey.picture('setting');
  });
});
