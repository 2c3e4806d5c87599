import * as assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { agentLogs, withAgents, configure, configureAgents, endAll, fake, execute } from './support';

describe('Journals', () => {
  withAgents();

  afterEach(endAll);

  it('keep all traffic, without secrets, until they are deleted', async () => {
    const secret = 'zX9-81kfQ72mLp';
    await configureAgents({ Mine: { ...fake('asksPermission'), env: { ELECTRON_RUN_AS_NODE: '1', MY_KEY: secret } } });
    await configure('permissions', 'reject');
    const run = await (await agentLogs()).start('Mine');
    await run.prompt(await run.newSession(), `my key is ${secret}`);
    await run.stop();
    await configure('permissions', undefined);

    const path = run.journal?.fsPath ?? '';
    const [header, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
    assert.equal((JSON.parse(header ?? '') as { agent: string }).agent, 'Mine');
    assert.match(lines.at(-2) ?? '', /"ev":"exit"/);
    assert.ok(lines.some((line) => line.includes('"method":"session/prompt"') && line.includes('[redacted]')));
    assert.ok(!lines.join('').includes(secret));
    assert.ok(run.records().every(({ message }) => !message.includes(secret)));

    await execute('agentLogs.revealJournal', run.id);
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, path);
    await execute('workbench.action.closeActiveEditor');
    await execute('agentLogs.deleteJournal', run.id);
    assert.equal(existsSync(path), false);
  });

  it("aren't written if they are disabled", async () => {
    await configure('journal.enabled', false);
    const run = await (await agentLogs()).start('Sample Agent');
    assert.equal(run.journal, undefined);
    await configure('journal.enabled', undefined);
  });
});
