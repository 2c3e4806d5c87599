import * as assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import * as vscode from 'vscode';
import type { Run } from '../../api/agent-logs';
import { sharedData } from '../support/sharedData';
import { ExplorerPage } from './explorerPage';
import { takeInThemes, takeNarrow } from './pictures';
import { agentLogs, execute, inWindow, temporaryFolder } from './support';

/** Width of a window whose editors have 400 pixels. */
const narrow = 450;
const session = '0b5e9a0c-6c1f-4e6b-9a53-2f1d3c4b5a69';
const token = 'q7Rz2LmX9vKp4TgW8sYb3NcH';
const updates = (update: object): object => ({ method: 'session/update', params: { sessionId: session, update } });
const text = (words: string): object => ({ content: { type: 'text', text: words } });

/** What a user would not want to share by mistake. */
const messages: readonly (readonly ['a2c' | 'c2a', object])[] = [
  ['c2a', { id: 0, method: 'initialize', params: { protocolVersion: 1 } }],
  ['a2c', { id: 0, result: { protocolVersion: 1, agentInfo: { name: 'agent', version: '1' } } }],
  ['c2a', { id: 1, method: 'session/new', params: { cwd: '/home/somebody/project', mcpServers: [] } }],
  ['a2c', { id: 1, result: { sessionId: session } }],
  [
    'c2a',
    {
      id: 2,
      method: 'session/prompt',
      params: {
        sessionId: session,
        prompt: [{ type: 'text', text: `Why does PROMPTMARK fail? API_KEY=${token.repeat(2)}` }],
      },
    },
  ],
  [
    'a2c',
    updates({ sessionUpdate: 'agent_message_chunk', ...text(`ANSWERMARK is in /home/somebody/project, ask ${token}`) }),
  ],
  [
    'a2c',
    updates({
      ...{
        sessionUpdate: 'tool_call',
        toolCallId: 'call_1',
        title: 'Read TOOLMARK',
        kind: 'read',
        status: 'completed',
      },
      ...{ content: [{ type: 'content', ...text('TOOLMARK: anna@firma.de') }] },
    }),
  ],
  ['a2c', { id: 2, result: { stopReason: 'end_turn' } }],
];

/** All data of a shared file. */
function dataOf(path: string): string {
  const blocks = sharedData(readFileSync(path, 'utf8'));
  assert.ok(blocks.length >= 3);
  return blocks.join('\n');
}

describe('In the window: sharing', () => {
  const workbench = inWindow();
  const page = new ExplorerPage(workbench);
  const review = workbench.webview();
  const folder = temporaryFolder();
  const file = vscode.Uri.file(join(folder, 'shared.html'));
  let run: Run;

  before(async () => {
    const lines = messages.map(([dir, line], index) => ({
      t: new Date(Date.UTC(2026, 10, 24, 10, 0, index)).toISOString(),
      dir,
      line: JSON.stringify({ jsonrpc: '2.0', ...line }),
    }));
    const about = { agent: 'Bookshop', protocol: 'acp', command: ['agent'], cwd: '/' };
    const header = { journal: 1, ...about, startedAt: lines[0]?.t };
    const journal = join(folder, 'bookshop.ndjson');
    writeFileSync(journal, [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
    run = await (await agentLogs()).open(vscode.Uri.file(journal));
  });

  beforeEach(async () => {
    await execute('workbench.action.closeAllEditors');
    rmSync(file.fsPath, { force: true });
  });

  const tick = (name: string): Locator => review.getByRole('checkbox', { name });
  const button = (name: string): Locator => review.getByRole('button', { name, exact: true });
  const opened = (options: object = {}): Promise<vscode.Uri | undefined> =>
    execute('agentLogs.share', { runId: run.id, uri: file, ...options });
  const measured = (): Promise<void> =>
    review
      .getByRole('status')
      .filter({ hasText: /File size: [\d.]+ / })
      .waitFor();

  it('shows what is in the file, and writes it without what was unticked', async () => {
    const done = opened();
    await measured();
    for (const name of ['Prompts', 'Answers and thoughts', 'Tool inputs and outputs', 'Bodies of messages']) {
      assert.equal(await tick(name).isChecked(), true, name);
    }
    const section = (name: string): Locator => review.getByRole('region', { name });
    await section('Already redacted: ').getByText('Value of API_KEY').waitFor();
    await section('May be a secret: 1').getByText(token).waitFor();
    await section('Personal paths and names: ').getByText('/home/somebody').first().waitFor();
    await section('Personal paths and names: ').getByText('anna@firma.de').waitFor();
    await takeNarrow(workbench, narrow, 'share-review');
    assert.deepEqual(await page.violationsInThemes(), []);
    assert.ok(!existsSync(file.fsPath));
    await tick('Prompts').uncheck();
    await measured();
    await button('Save HTML File…').click();
    assert.equal((await done)?.fsPath, file.fsPath);
    const data = dataOf(file.fsPath);
    for (const kept of ['ANSWERMARK', 'TOOLMARK', 'left out: prompt of ']) assert.ok(data.includes(kept), kept);
    for (const gone of ['PROMPTMARK', 'somebody', 'anna', token, session]) assert.ok(!data.includes(gone), gone);
    assert.ok((await workbench.notifications()).some((one) => one.includes('shared.html')));
    await execute('notifications.clearAll');
  });

  it('opens the place of what it lists, and is still there', async () => {
    const done = opened();
    await measured();
    await review.getByRole('button', { name: new RegExp(`^#\\d+: ${token}`) }).click();
    // The page of the review is hidden, and still there.
    const explorer = workbench.page
      .locator('iframe.webview.ready:visible')
      .contentFrame()
      .frameLocator('#active-frame');
    await explorer.locator('[role=row][aria-selected=true]').getByText('ANSWERMARK').waitFor();
    await execute('workbench.action.closeActiveEditor');
    await measured();
    await button('Cancel').click();
    assert.equal(await done, undefined);
  });

  it('writes nothing if it is cancelled or closed', async () => {
    const cancelled = opened();
    await measured();
    await button('Cancel').click();
    assert.equal(await cancelled, undefined);
    const closed = opened({ uri: undefined, include: ['prompts'] });
    await measured();
    assert.equal(await tick('Answers and thoughts').isChecked(), false);
    await execute('workbench.action.closeActiveEditor');
    assert.equal(await closed, undefined);
    assert.ok(!existsSync(file.fsPath));
  });

  it('changes nothing while the user picks a file, and everything after it', async () => {
    const done = opened({ uri: undefined });
    await measured();
    await button('Save HTML File…').click();
    await review.getByRole('status').filter({ hasText: 'Saving…' }).waitFor();
    await tick('Prompts').click();
    await review.getByRole('checkbox', { name: 'Prompts', checked: true }).waitFor();
    await workbench.page.locator('.quick-input-widget').getByText('Share Bookshop').waitFor();
    await execute('workbench.action.closeQuickOpen');
    await measured();
    await tick('Prompts').uncheck();
    await measured();
    await button('Cancel').click();
    assert.equal(await done, undefined);
  });

  it('can be done by keyboard', async () => {
    const done = opened();
    await measured();
    const { keyboard } = workbench.page;
    await button('Minimal').focus();
    await keyboard.press('Enter');
    await review.getByRole('checkbox', { name: 'Prompts', checked: false }).waitFor();
    await measured();
    await review.getByText('Texts that may quote what you leave out go with it').waitFor();
    await takeInThemes(workbench, 'share-review-minimal');
    await tick('Tool inputs and outputs').focus();
    await keyboard.press('Space');
    await review.getByRole('checkbox', { name: 'Tool inputs and outputs', checked: true }).waitFor();
    await measured();
    await button('Save HTML File…').focus();
    await keyboard.press('Enter');
    await done;
    const data = dataOf(file.fsPath);
    assert.ok(data.includes('TOOLMARK') && !data.includes('ANSWERMARK') && !data.includes('PROMPTMARK'));
    await execute('notifications.clearAll');
  });

  it('writes Markdown for an issue, with the same choice', async () => {
    const done = opened();
    await measured();
    await review.getByRole('radio', { name: 'Markdown' }).check();
    await review.getByText('Writes a text for an issue or a pull request').waitFor();
    await tick('Prompts').uncheck();
    await measured();
    await takeInThemes(workbench, 'share-review-markdown');
    await takeNarrow(workbench, narrow, 'share-review-markdown');
    await button('Save Markdown File…').click();
    await done;
    const written = readFileSync(file.fsPath, 'utf8');
    assert.match(written, /^# Agent run \(Agent Client Protocol\)\n[^]*\n## What went wrong\n[^]*\n## Turns\n/);
    assert.ok(written.includes('ANSWERMARK') && !written.includes('PROMPTMARK') && !written.includes(token));
    await execute('notifications.clearAll');
    await opened({ include: ['prompts'], format: 'markdown' });
    assert.ok(!readFileSync(file.fsPath, 'utf8').includes('ANSWERMARK'));
    await assert.rejects(opened({ include: [], format: 'pdf' }), /`format` must be one of these: html/);
  });

  it('writes without asking if a caller says what to include', async () => {
    const written = await opened({ include: [] });
    assert.equal(written?.fsPath, file.fsPath);
    const data = dataOf(file.fsPath);
    for (const gone of ['PROMPTMARK', 'ANSWERMARK', 'TOOLMARK', 'somebody', token]) {
      assert.ok(!data.includes(gone), gone);
    }
    assert.deepEqual(
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs),
      [],
    );
    await assert.rejects(opened({ include: ['everything'] }), /`include` must be a list of these: prompts/);
    await assert.rejects(opened({ runId: 'x', include: [] }), /Unknown run: x/);
  });
});
