import * as assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { OtlpReceiver } from '../../support/otlpReceiver';
import { agentLogs, configureAgents, execute, fake, temporaryFolder, withEnvironment } from '../support';
import { poll } from '../waiting';
import { Journey } from './journey';

const command = 'Add to an Agent…';

interface Sent {
  readonly sessions: number;
  readonly left: number;
  readonly unchanged: number;
  readonly isCancelled: boolean;
}

describe('A journey: handed over to agents and engines', () => {
  const journey = Journey.ofSuite('10-handOver');
  const { workbench } = journey;
  const folder = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const file = join(folder, '.mcp.json');
  const text = '{\r\n  // of the team\r\n  "mcpServers": {\r\n    "notes": { "command": "notes" },\r\n  },\r\n}\r\n';
  // Not the developer's own settings.
  const own = temporaryFolder();
  withEnvironment({ HOME: own, USERPROFILE: own });

  before(() => mkdirSync(join(own, '.codex')));

  after(() => rmSync(file, { force: true }));

  beforeEach(async () => {
    await execute('notifications.clearAll');
    await execute('workbench.action.closeAllEditors');
  });

  /** Opens the picker by the palette, and chooses the file that is described so. */
  async function choose(label: string, description: string): Promise<void> {
    await journey.command(command);
    await workbench.asks(journey.t('Select an agent that may read logs of agents'));
    await workbench.filterQuickInput(description);
    await poll(async () => (await workbench.quickPickRows()).filter((row) => row.label === label)).until(
      (rows) => rows.length === 1 && rows[0]?.description === description,
    );
    await workbench.pick(label);
  }

  const question = (label: string): string =>
    journey.t('Let {0} read logs of agents with the MCP server `{1}`?', label, 'agent-logs').replaceAll('`', '');
  const added = (label: string): string =>
    journey.t('Added to {0}. Restart it, then ask it why a session failed.', label);

  async function fileIs(path: string, fits: (found: string | undefined) => boolean): Promise<void> {
    await poll(() => (existsSync(path) ? readFileSync(path, 'utf8') : undefined)).until(fits);
  }

  it('adds the MCP server to the settings of an agent, says if it is there, and takes it back', async () => {
    writeFileSync(file, text);
    await journey.command(command);
    const rows = await workbench.quickPickRows();
    assert.ok(rows.some(({ label, description }) => label === 'Codex' && description.endsWith('config.toml')));
    await journey.picture('agents', 'fleeting');
    await workbench.page.keyboard.press('Escape');
    await choose('Claude Code', '.mcp.json');
    await workbench.notified(question('Claude Code'));
    const review = workbench.page.locator('.monaco-diff-editor .editor.modified .view-line');
    await review.filter({ hasText: '"agent-logs"' }).waitFor();
    await journey.picture('change', 'text');
    assert.equal(readFileSync(file, 'utf8'), text, 'nothing before it is confirmed');
    await workbench.answerNotification(question('Claude Code'), journey.t('Add'));
    await workbench.notified(added('Claude Code'));
    await journey.picture('added', 'fleeting');
    const now = readFileSync(file, 'utf8');
    const entry = /"agent-logs": (\{[^}]*\}),\r\n/.exec(now)?.[1] ?? '';
    const { command: program, args } = JSON.parse(entry) as { readonly command: string; readonly args: string[] };
    assert.deepEqual([program, args.slice(1, 3)], ['node', ['mcp', '--journals']]);
    assert.ok(existsSync(args[0]!), entry);
    assert.equal(now.replace(`"agent-logs": ${entry},\r\n    `, ''), text);

    await choose('Claude Code', '.mcp.json');
    const has = journey.t('{0} has the MCP server `{1}` already.', 'Claude Code', 'agent-logs');
    await workbench.notified(has.replaceAll('`', ''));
    assert.equal(readFileSync(file, 'utf8'), now);
    await workbench.answerNotification(added('Claude Code'), journey.t('Undo'));
    await fileIs(file, (found) => found === text);
  });

  it('makes a file if there is none, and removes it again', async () => {
    const path = join(own, '.codex', 'config.toml');
    await choose('Codex', join('~', '.codex', 'config.toml'));
    await workbench.answerNotification(question('Codex'), journey.t('Add'));
    await fileIs(path, (found) => found?.startsWith('[mcp_servers.agent-logs]') === true);
    await workbench.answerNotification(added('Codex'), journey.t('Undo'));
    await fileIs(path, (found) => found === undefined);
  });

  it('leaves settings that it can’t add to, and says what to do', async () => {
    const other = text.replace('notes', 'agent-logs');
    for (const [given, why, ...args] of [
      [other, '{0} has a server {1} with other settings. Remove it there, then try again.', 'agent-logs', ''],
      ['{\n  "mcpServers": {\n', "{0} can't be read: line {1} isn't valid {2}.", 3, 'JSON'],
    ] as const) {
      writeFileSync(file, given);
      await choose('Claude Code', '.mcp.json');
      await workbench.notified(journey.t(why, file, ...args));
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

    after(() => receiver.close());

    const send = (): Promise<Sent> => {
      const url = `http://127.0.0.1:${receiver.port}`;
      return execute<Sent>('agentLogs.exportToOtlp', { url, filter: 'agent:traced' });
    };

    it('shows how far it is, and stops if it is cancelled', async () => {
      receiver.answers = ['hang'];
      const sending = send();
      const title = journey.t('Exporting past sessions');
      await workbench.notified(title);
      await journey.picture('progress', 'fleeting');
      await workbench.answerNotification(title, 'Cancel'); // VS Code's, which has no language pack here
      const { sessions, left, isCancelled } = await sending;
      assert.deepEqual([sessions, left, isCancelled], [0, 1, true]);
    });

    it('says why nothing was sent, and what was sent then', async () => {
      receiver.answers = [{ status: 401 }];
      assert.equal((await send()).left, 1);
      await workbench.notified('HTTP 401');
      assert.equal(await workbench.notification('HTTP 401').locator('.codicon-warning').count(), 1);
      await journey.picture('refused', 'fleeting');
      const { sessions, left } = await send();
      assert.deepEqual([sessions, left], [1, 0]);
      await workbench.notified(String(receiver.port));
      assert.ok(receiver.logs.some(({ scope }) => scope === 'db'));
      assert.ok(receiver.spans.some(({ name }) => name === 'invoke_agent Traced'));
      const { length } = receiver.requests;
      assert.equal((await send()).unchanged, 1);
      assert.equal(receiver.requests.length, length);
      await assert.rejects(execute('agentLogs.exportToOtlp', { url: 'ftp://x' }), /http/);
      await journey.picture('sent', 'fleeting');
    });
  });
});
