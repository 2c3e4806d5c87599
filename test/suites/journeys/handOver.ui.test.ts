import * as assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import * as vscode from 'vscode';
import { OtlpReceiver } from '../../support/otlpReceiver';
import { agentLogs, configureAgents, endAll, fake } from '../support';
import { eventually } from '../workbench';
import { Journey, journeyTimeout } from './journey';

const command = { add: 'Add to an Agent…', send: 'Export to Collector…' } as const;

interface Sent {
  readonly sessions: number;
  readonly left: number;
  readonly isCancelled: boolean;
}

/** As notifications show it. */
function unmarked(text: string): string {
  return text.replaceAll('`', '');
}

describe('A journey: handed over to agents and engines', function () {
  this.timeout(journeyTimeout);
  let journey: Journey;
  const folder = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const file = join(folder, '.mcp.json');
  const text = '{\r\n  // of the team\r\n  "mcpServers": {\r\n    "notes": { "command": "notes" },\r\n  },\r\n}\r\n';
  const { HOME: home, USERPROFILE: profile } = process.env;
  const own = mkdtempSync(join(tmpdir(), 'agent-logs-home-'));

  before(async () => {
    // Not the developer's own settings.
    mkdirSync(join(own, '.codex'), { recursive: true });
    Object.assign(process.env, { HOME: own, USERPROFILE: own });
    journey = await Journey.begin('10-handOver');
  });

  after(async () => {
    for (const [name, value] of Object.entries({ HOME: home, USERPROFILE: profile })) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
    rmSync(file, { force: true });
    rmSync(own, { recursive: true, force: true });
    await journey.end();
  });

  beforeEach(async () => {
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  /** Opens the picker by the palette, and chooses the file that is described so. */
  async function choose(label: string, description: string): Promise<void> {
    const { workbench } = journey;
    await journey.command(command.add);
    await workbench.page
      .locator('.quick-input-title', { hasText: journey.t('Select an agent that may read logs of agents') })
      .waitFor();
    await workbench.filterQuickInput(description);
    await eventually(
      async () => (await workbench.quickPickRows()).filter((row) => row.label === label),
      (rows) => rows.length === 1 && rows[0]?.description === description,
    );
    await workbench.pick(label);
  }

  const question = (label: string): string =>
    unmarked(journey.t('Let {0} read logs of agents with the MCP server `{1}`?', label, 'agent-logs'));
  const added = (label: string): string =>
    journey.t('Added to {0}. Restart it, then ask it why a session failed.', label);

  async function says(part: string): Promise<void> {
    await journey.workbench.notified(part);
  }

  async function fileIs(path: string, fits: (found: string | undefined) => boolean): Promise<void> {
    await eventually(() => Promise.resolve(existsSync(path) ? readFileSync(path, 'utf8') : undefined), fits);
  }

  it('adds the MCP server to the settings of an agent, says if it is there, and takes it back', async () => {
    const { workbench } = journey;
    writeFileSync(file, text);
    await journey.command(command.add);
    const rows = await workbench.quickPickRows();
    assert.ok(rows.some(({ label, description }) => label === 'Codex' && description.endsWith('config.toml')));
    await journey.picture('agents', 'fleeting');
    await workbench.page.keyboard.press('Escape');
    await choose('Claude Code', '.mcp.json');
    await says(question('Claude Code'));
    const review = workbench.page.locator('.monaco-diff-editor .editor.modified .view-line');
    await review.filter({ hasText: '"agent-logs"' }).waitFor();
    await journey.picture('change', 'text');
    assert.equal(readFileSync(file, 'utf8'), text, 'nothing before it is confirmed');
    await workbench.answerNotification(question('Claude Code'), journey.t('Add'));
    await says(added('Claude Code'));
    await journey.picture('added', 'fleeting');
    const now = readFileSync(file, 'utf8');
    const entry = /"agent-logs": (\{[^}]*\}),\r\n/.exec(now)?.[1] ?? '';
    const { command: program, args } = JSON.parse(entry) as { readonly command: string; readonly args: string[] };
    assert.deepEqual([program, args.slice(1, 3)], ['node', ['mcp', '--journals']]);
    assert.ok(existsSync(args[0]!), entry);
    assert.equal(now.replace(`"agent-logs": ${entry},\r\n    `, ''), text);

    await choose('Claude Code', '.mcp.json');
    await says(unmarked(journey.t('{0} has the MCP server `{1}` already.', 'Claude Code', 'agent-logs')));
    assert.equal(readFileSync(file, 'utf8'), now);
    await workbench.answerNotification(added('Claude Code'), journey.t('Undo'));
    await fileIs(file, (found) => found === text);
  });

  it('makes a file if there is none, and removes it again', async () => {
    const path = join(own, '.codex', 'config.toml');
    await choose('Codex', join('~', '.codex', 'config.toml'));
    await journey.workbench.answerNotification(question('Codex'), journey.t('Add'));
    await fileIs(path, (found) => found?.startsWith('[mcp_servers.agent-logs]') === true);
    await journey.workbench.answerNotification(added('Codex'), journey.t('Undo'));
    await fileIs(path, (found) => found === undefined);
  });

  it('leaves settings that it can’t add to, and says what to do', async () => {
    const other = text.replace('notes', 'agent-logs');
    for (const [given, why] of [
      [
        other,
        journey.t('{0} has a server {1} with other settings. Remove it there, then try again.', file, 'agent-logs'),
      ],
      ['{\n  "mcpServers": {\n', journey.t("{0} can't be read: line {1} isn't valid {2}.", file, 3, 'JSON')],
    ] as const) {
      writeFileSync(file, given);
      await choose('Claude Code', '.mcp.json');
      await says(why);
      assert.equal(readFileSync(file, 'utf8'), given);
    }
    await journey.picture('refused', 'fleeting');
  });

  describe('with a collector', () => {
    let receiver: OtlpReceiver;

    before(async () => {
      rmSync(file, { force: true });
      receiver = await OtlpReceiver.start();
      await configureAgents({ Traced: fake('logsTrace') });
      const run = await (await agentLogs()).start('Traced');
      await run.prompt(await run.newSession(), 'go');
      await run.stop();
    });

    after(async () => {
      await receiver.close();
      await endAll();
    });

    /** The row of the notification that contains the text. */
    const notification = (part: string): Locator =>
      journey.workbench.page.locator('.notifications-center .notification-list-item').filter({ hasText: part });
    const send = (): Promise<Sent> =>
      Promise.resolve(
        vscode.commands.executeCommand<Sent>('agentLogs.exportToOtlp', {
          url: `http://127.0.0.1:${receiver.port}`,
          filter: 'agent:traced',
        }),
      );
    const isWarning = async (part: string): Promise<boolean> =>
      (await notification(part).locator('.codicon-warning').count()) === 1;

    it('shows how far it is, and stops if it is cancelled', async () => {
      const { workbench } = journey;
      receiver.answers = ['hang'];
      const sending = send();
      const title = journey.t('Exporting past sessions');
      await says(title);
      await journey.picture('progress', 'fleeting');
      await workbench.answerNotification(title, 'Cancel'); // VS Code's, which has no language pack here
      const { sessions, left, isCancelled } = await sending;
      assert.deepEqual([sessions, left, isCancelled], [0, 1, true]);
    });

    it('says why nothing was sent, and what was sent then', async () => {
      receiver.answers = [{ status: 401 }];
      assert.equal((await send()).left, 1);
      await says('HTTP 401');
      assert.ok(await isWarning('HTTP 401'));
      await journey.picture('refused', 'fleeting');
      const { sessions, left } = await send();
      assert.deepEqual([sessions, left], [1, 0]);
      await says(String(receiver.port));
      assert.ok(receiver.logs.some(({ scope }) => scope === 'db'));
      await journey.picture('sent', 'fleeting');
    });
  });
});
