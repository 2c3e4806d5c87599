import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { agentLogs, configureAgents, endAll, fake } from './support';

interface ToolApi {
  readonly tools: readonly { readonly name: string }[];
  invokeTool(
    name: string,
    options: { readonly input: object; readonly toolInvocationToken: undefined },
    token: vscode.CancellationToken,
  ): Thenable<{ readonly content: readonly { readonly value: string }[] }>;
}

/** Before 1.95 language model tools were a proposal: the extension is to work without them there. */
function toolApi(): ToolApi | undefined {
  const lm: unknown = vscode.lm;
  return /^1\.9[34]\./.test(vscode.version) ? undefined : (lm as ToolApi);
}

async function ask(api: ToolApi, name: string, input: object): Promise<string> {
  const { token } = new vscode.CancellationTokenSource();
  const { content } = await api.invokeTool(`agentLogs_${name}`, { input, toolInvocationToken: undefined }, token);
  return content.map(({ value }) => value).join('');
}

describe('The language model tools', () => {
  before(agentLogs);

  afterEach(endAll);

  after(() => configureAgents({}));

  it('answer why an agent failed, live and from its journal, or are absent where VS Code has none', async () => {
    const api = toolApi();
    if (!api) return assert.ok(vscode.extensions.getExtension('agent-logs.agent-logs')?.isActive);
    await configureAgents({ Crashes: fake('crashesInTurn') });
    const run = await (await agentLogs()).start('Crashes');
    const session = await run.newSession();
    assert.match(await ask(api, 'listRuns', {}), new RegExp(`"Crashes" id ${run.id}, acp, .*running`));
    await assert.rejects(run.prompt(session, 'go'));
    await run.stop();

    const why = await ask(api, 'explainTermination', { run: 'Crashes' });
    assert.match(why, /Exit code: {2}7/);
    assert.match(why, /Error: The turn failed/);
    assert.match(why, /What went wrong, the newest last:\n#\d+ /);
    assert.match(await ask(api, 'searchRecords', { text: 'turn failed' }), /^#\d+ .* stderr /m);
    assert.match(await ask(api, 'searchRecords', { run: 'Nobody' }), /no such run.*"Crashes"/);

    // Forgotten by the window, it is found in its journal.
    await vscode.commands.executeCommand('agentLogs.removeRun', run.id);
    const list = await ask(api, 'listRuns', {});
    assert.match(list, /"Crashes" id .*\(exit 7\)/);
    assert.ok(!list.includes(run.id));
    assert.match(await ask(api, 'explainTermination', {}), /Error: The turn failed/);
    const [past] = (await agentLogs()).runs;
    await vscode.commands.executeCommand('agentLogs.deleteJournal', past?.id);
  });

  it('are offered with what a model needs to know', () => {
    const api = toolApi();
    if (!api) return;
    const ours = api.tools.filter(({ name }) => name.startsWith('agentLogs_')).map(({ name }) => name);
    assert.deepEqual(ours.sort(), ['agentLogs_explainTermination', 'agentLogs_listRuns', 'agentLogs_searchRecords']);
  });
});
