import * as assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { writeDatabase } from '../support/databases';
import { makeSamples, sampleFolders, savedSamples } from '../support/savedSamples';
import { agentLogs, endAll, execute, fake, fixture, showSavedSessions, temporaryFolder, withAgents } from './support';

async function ask(name: string, input: object): Promise<string> {
  const { token } = new vscode.CancellationTokenSource();
  const options = { input, toolInvocationToken: undefined };
  const { content } = await vscode.lm.invokeTool(`agentLogs_${name}`, options, token);
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

describe('language model tools', () => {
  withAgents({ Crashes: fake('crashesInTurn') });
  const home = temporaryFolder();

  afterEach(endAll);

  it('explain why an agent failed, live and from its journal', async () => {
    const run = await (await agentLogs()).start('Crashes');
    const session = await run.newSession();
    assert.match(await ask('listRuns', {}), new RegExp(`"Crashes" id ${run.id}, acp, .*running`));
    await assert.rejects(run.prompt(session, 'go'));
    await run.stop();

    const why = await ask('explainTermination', { run: 'Crashes' });
    assert.match(why, /Exit code: {2}7/);
    assert.match(why, /Error: The turn failed/);
    assert.match(why, /problems?, the newest last:\n#\d+ /);
    assert.match(await ask('searchRecords', { query: '"turn failed"' }), /^#\d+ .* stderr /m);
    assert.match(await ask('searchRecords', { run: 'Nobody' }), /no such run.*"Crashes"/);

    assert.match(await ask('listTurns', { run: 'Crashes' }), /^turn #\d+\.\.\d+ "go": no answer, [\d.]+ m?s: model /m);

    // Removed from the window, it's found in its journal.
    await execute('agentLogs.removeRun', run.id);
    const list = await ask('listRuns', {});
    assert.match(list, /"Crashes" id .*\(exit 7\)/);
    assert.ok(!list.includes(run.id));
    assert.match(await ask('explainTermination', {}), /Error: The turn failed/);
    const [past] = (await agentLogs()).runs;
    await execute('agentLogs.deleteJournal', past?.id);
  });

  it("read this folder's sessions in an agent's database", async () => {
    makeSamples(home, fixture('saved'));
    const folders = sampleFolders(home);
    const { id, text } = savedSamples.opencode;
    const here = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const move = `UPDATE session_v2 SET directory = '${here}' WHERE id LIKE '%${id}'`;
    writeDatabase(join(folders['opencode'] ?? '', 'opencode.db'), move);
    await showSavedSessions(folders);
    const found = await ask('searchRecords', { run: 'Running the tests', query: `"${text}"` });
    assert.ok(found.includes(text), found);
  });

  it('are registered with a description for the model', () => {
    const ours = vscode.lm.tools.filter(({ name }) => name.startsWith('agentLogs_')).map(({ name }) => name);
    const names = ['checkMcpServers', 'compareRuns', 'explainTermination', 'listRuns', 'listTurns', 'searchRecords'];
    assert.deepEqual(
      ours.sort(),
      names.map((name) => `agentLogs_${name}`),
    );
  });
});
