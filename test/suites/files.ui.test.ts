import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { ExplorerPage } from './explorerPage';
import {
  agentLogs,
  configure,
  configureAgents,
  copied,
  ended,
  execute,
  fake,
  inWindow,
  recordOf,
  runOf,
  withModals,
} from './support';
import { eventually } from './waiting';

describe('In the window: files and streams', () => {
  const workbench = inWindow();
  const folder = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'logs');

  before(() => mkdirSync(folder.fsPath, { recursive: true }));

  after(async () => {
    await configure('watch', undefined);
    rmSync(folder.fsPath, { recursive: true, force: true });
  });

  it('open a log and follow it as it grows', async () => {
    const uri = vscode.Uri.joinPath(folder, 'app.ndjson');
    writeFileSync(uri.fsPath, `${JSON.stringify({ level: 'warn', logger: 'db', msg: 'slow query' })}\n`);
    const id = await execute<string>('agentLogs.openFile', uri);
    const run = (await agentLogs()).runs.find((one) => one.id === id)!;
    await recordOf(run, ({ message, level }) => message === 'slow query' && level === 'warning');
    appendFileSync(uri.fsPath, `${JSON.stringify({ level: 'error', logger: 'db', msg: 'gone' })}\n`);
    await recordOf(run, ({ message }) => message === 'gone');
    await workbench.row(({ label }) => label.startsWith('app.ndjson'));
    // As a click on its row does, it opens the explorer at the problem or the end.
    const page = await new ExplorerPage(workbench).ready();
    await page.total((count) => count >= 2);
  });

  it('show new files in a watched folder as runs', async () => {
    await configure('watch', ['logs/**/agent-*.ndjson']);
    const stream = { type: 'system', subtype: 'init', session_id: 'abcdefgh12345678', model: 'm', cwd: '/' };
    writeFileSync(vscode.Uri.joinPath(folder, 'agent-1.ndjson').fsPath, `${JSON.stringify(stream)}\n`);
    const run = await eventually(() => runOf('agent-1.ndjson'));
    assert.equal(run.protocol, 'stream-json');
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
    const report = await execute<string>('agentLogs.copyReport', run.id);
    assert.match(report, /^# Claude \(stream-json\)/);
    assert.match(report, /tool-failed/);
    assert.equal(await vscode.env.clipboard.readText(), report);
  });

  it('copy the tap command for another editor', async () => {
    await configureAgents({ Plain: fake('silent', '--acp') });
    void execute('agentLogs.copyTapCommand', 'Plain');
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
    await execute('workbench.action.closeAllEditors');
    const secret = 'q7Zk2vGqT7w99xQ';
    const agent = fake('silent');
    await configureAgents({ Keyed: { ...agent, env: { ...agent.env, API_KEY: secret } } });
    await vscode.env.clipboard.writeText('before');
    const copy = (answer: string | undefined): Promise<unknown> =>
      withModals(answer, async (questions) => {
        const copying = execute('agentLogs.copyTapCommand', 'Keyed');
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
    const { args, env } = agent_servers.Keyed;
    assert.equal(env['API_KEY'], secret);
    assert.ok(args.join(' ').includes('--secret-env API_KEY'));
    assert.ok(!args.join(' ').includes(secret), 'no secret in a command line');
  });
});
