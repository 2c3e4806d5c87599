import * as assert from 'node:assert/strict';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { configureAgents } from '../support';
import { eventually } from '../workbench';
import { Journey, journeyTimeout } from './journey';

/** A server that refuses every request. */
function refusing(status: number): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'text/plain' }).end(status === 400 ? 'unknown tenant' : '');
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;

describe("A journey: an agent that doesn't start", function () {
  this.timeout(journeyTimeout);
  let journey: Journey;
  const servers: Server[] = [];

  before(async () => {
    journey = await Journey.begin('2-start');
    for (const status of [400, 401]) servers.push(await refusing(status));
    const [bad, locked] = servers.map(urlOf);
    await configureAgents({
      Folder: { command: 'node', cwd: '/no/such/folder' },
      Program: { command: '/no/such/uvx', args: ['some-agent'] },
      Refused: { protocol: 'mcp', url: 'http://127.0.0.1:9/mcp' },
      Bad: { protocol: 'mcp', url: bad },
      Locked: { protocol: 'mcp', url: locked },
    });
  });

  after(async () => {
    await journey.end();
    for (const server of servers) server.close();
  });

  /** The button that helps, and what the notification and the explanation both say. */
  const failures = [
    ['Folder', 'Open Setting', '/no/such/folder'],
    ['Program', 'Install {0}…', 'uv'],
    ['Refused', 'Open Setting', '127.0.0.1:9'],
    ['Bad', 'Open Setting', '400'],
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
