import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { ExplorerPage } from './explorerPage';
import { agentLogs, configureAgents, copied, endAll, ended, fake, recordOf, withModals } from './support';
import { eventually, Workbench } from './workbench';

const view = 'Sessions';

describe('In the window: files and streams', () => {
  let workbench: Workbench;
  const folder = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'logs');

  before(async () => {
    workbench = await Workbench.connect();
    mkdirSync(folder.fsPath, { recursive: true });
    await vscode.commands.executeCommand('agentLogs.sessions.focus');
  });

  after(async () => {
    await setting('watch', undefined);
    rmSync(folder.fsPath, { recursive: true, force: true });
    await endAll();
    await configureAgents({});
  });

  function setting(name: string, value: unknown): Thenable<void> {
    return vscode.workspace.getConfiguration('agentLogs').update(name, value, vscode.ConfigurationTarget.Workspace);
  }

  it('open a log and follow it as it grows', async () => {
    const uri = vscode.Uri.joinPath(folder, 'app.ndjson');
    writeFileSync(uri.fsPath, `${JSON.stringify({ level: 'warn', logger: 'db', msg: 'slow query' })}\n`);
    const id = await vscode.commands.executeCommand<string>('agentLogs.openFile', uri);
    const run = (await agentLogs()).runs.find((one) => one.id === id)!;
    await recordOf(run, ({ message, level }) => message === 'slow query' && level === 'warning');
    appendFileSync(uri.fsPath, `${JSON.stringify({ level: 'error', logger: 'db', msg: 'gone' })}\n`);
    await recordOf(run, ({ message }) => message === 'gone');
    await workbench.treeRowsUntil(view, (rows) => rows.some(({ label }) => label.startsWith('app.ndjson')));
    // As a click on its row does, it opens the explorer at the problem or the end.
    const page = await new ExplorerPage(workbench).ready();
    await page.total((count) => count >= 2);
    await workbench.screenshot('files-1-open');
  });

  it('show new files in a watched folder as runs', async () => {
    await setting('watch', ['logs/**/agent-*.ndjson']);
    const stream = { type: 'system', subtype: 'init', session_id: 'abcdefgh12345678', model: 'm', cwd: '/' };
    writeFileSync(vscode.Uri.joinPath(folder, 'agent-1.ndjson').fsPath, `${JSON.stringify(stream)}\n`);
    const run = await eventually(
      async () => (await agentLogs()).runs.find(({ name }) => name === 'agent-1.ndjson'),
      (found) => found !== undefined,
    );
    assert.equal(run?.protocol, 'stream-json');
    await workbench.screenshot('files-2-watched');
  });

  it('ask for the prompt of a stream, and report its failed tool', async () => {
    const { args, ...rest } = fake('stream-claude');
    await configureAgents({ Claude: { ...rest, args: [...args, '${input:prompt}'], protocol: 'stream-json' } });
    const started = (await agentLogs()).start('Claude');
    await workbench.answer('Claude: prompt', 'run the tests');
    const run = await started;
    await recordOf(run, ({ message }) => message.includes('You said: run the tests'));
    const problem = await recordOf(run, ({ kind }) => kind === 'diagnosis');
    assert.equal(problem.level, 'warning');
    await ended(run);
    await workbench.runCommand('Agent Logs: Go to Next Problem');
    const page = await new ExplorerPage(workbench).ready();
    await page.details.getByRole('heading', { name: 'Tool failed' }).waitFor();
    await workbench.screenshot('files-3-problem');
    const report = await vscode.commands.executeCommand<string>('agentLogs.copyReport', run.id);
    assert.match(report, /^# Claude \(stream-json\)/);
    assert.match(report, /tool-failed/);
    assert.equal(await vscode.env.clipboard.readText(), report);
  });

  it('copy the tap command for another editor', async () => {
    await configureAgents({ Plain: fake('silent', '--acp') });
    void vscode.commands.executeCommand('agentLogs.copyTapCommand', 'Plain');
    await workbench.pick('Zed');
    const text = await copied((copied) => copied.includes('agent_servers'));
    const { agent_servers } = JSON.parse(text) as { agent_servers: { Plain: { args: string[] } } };
    const [program = '', ...words] = agent_servers.Plain.args;
    assert.match(program, /[\\/]agent-logs\.cjs$/, 'a path that no update of the extension takes away');
    assert.match(execFileSync('node', [program, '--version'], { encoding: 'utf8' }), /^agent-logs /);
    assert.deepEqual(words.slice(0, 4), ['tap', '--name', 'Plain', '--']);
    assert.equal(agent_servers.Plain.args.at(-1), '--acp');
  });

  it('ask before copying a tap command with secrets', async () => {
    // The page of an explorer that has just been opened takes the focus once it is ready, which closes pickers.
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const secret = 'q7Zk2vGqT7w99xQ';
    const agent = fake('silent');
    await configureAgents({ Keyed: { ...agent, env: { ...agent.env, API_KEY: secret } } });
    await vscode.env.clipboard.writeText('before');
    const copy = (answer: string | undefined): Promise<unknown> =>
      withModals(answer, async (questions) => {
        const copying = vscode.commands.executeCommand('agentLogs.copyTapCommand', 'Keyed');
        await workbench.pick('Zed');
        const copied = await copying;
        assert.deepEqual(questions, ['The command for Keyed contains secrets. Copy it?']);
        return copied;
      });
    assert.equal(await copy(undefined), undefined);
    assert.equal(await vscode.env.clipboard.readText(), 'before');
    assert.equal(await copy('Copy with Secrets'), await vscode.env.clipboard.readText());
    const { agent_servers } = JSON.parse(await vscode.env.clipboard.readText()) as {
      agent_servers: { Keyed: { args: string[]; env: Record<string, string> } };
    };
    assert.equal(agent_servers.Keyed.env['API_KEY'], secret);
    assert.ok(agent_servers.Keyed.args.join(' ').includes('--secret-env API_KEY'));
    assert.ok(!agent_servers.Keyed.args.join(' ').includes(secret), 'no secret in a command line');
  });
});
