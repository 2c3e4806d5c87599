import * as assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Run } from '../../../api/agent-logs';
import { agentLogs, fake, inWindow, temporaryFolder } from '../support';
import { ScreenReader } from '../screenReader';
import type { Workbench } from '../workbench';

/** In desktop VS Code, a second window is another process; test/unit/runs/twoWindows.test.ts covers what they share. */
const isNpm = vscode.env.uiKind === vscode.UIKind.Web;

describe('In two windows at once', () => {
  const workbench = inWindow({ Elsewhere: fake('setsLevel') });
  let other: Workbench | undefined;
  const folder = temporaryFolder();
  let run: Run;

  before(async () => void (run = await (await agentLogs()).start('Elsewhere')));

  after(() => other?.page.close());

  const what = 'a live run of one is a running one in the other, which leaves its journal alone';
  it(isNpm ? what : 'only the VS Code from npm has a second one: nothing is tried here', async () => {
    if (!isNpm) return;
    other = await workbench.openWindow(folder);
    const second = other;
    const { label, description } = await second.pastRun('Elsewhere');
    assert.match(description, /^running in another window/);
    const said = await new ScreenReader(second).saysOfRows();
    assert.ok(said.some((text) => /^Run Elsewhere.*, running in another window/.test(text)));

    await second.expandTreeRow(label);
    await second.expandTreeRow(label);
    // Reading it redraws the tree, and VS Code would lose the row of an open menu.
    await second.row((row) => row.label === 'Connection');
    const menu = await second.treeMenu(label);
    assert.ok(menu.includes('Reveal Journal'), menu.join(', '));
    assert.ok(!menu.includes('Delete Journal'));
    await run.newSession();
    assert.equal(run.state, 'running');
    assert.ok(existsSync(run.journal?.fsPath ?? ''));
    await run.stop();
    await second.row((row) => row.label.startsWith('Elsewhere') && !row.description.includes('running'));
  });
});
