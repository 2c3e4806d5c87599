import * as vscode from 'vscode';
import type { Redaction } from '../../../redact/redactorFor';
import type { JsonObject } from '../../../text/json';
import { objectOf } from '../../../text/json';
import type { RunView } from '../../../runLog/runView';
import type { Configuration } from '../../services/configuration';
import type { Disposable } from '../../kit/disposables';
import { Disposables } from '../../kit/disposables';
import type { LmToolName } from '../../manifest/lmTools';
import type { McpCheckUps } from '../../services/mcp/mcpCheckUps';
import { askingSession } from '../../../runs/lmTools/askingSession';
import type { ToolRuns } from './toolRuns';
import { boundedText } from '../../../runs/lmTools/toolText';

/** Registers tools with which a chat agent can read what other agents logged, and check MCP servers. */
export function registerLmTools(
  runs: ToolRuns,
  configuration: Pick<Configuration, 'ownRedaction'>,
  checkUps: Pick<McpCheckUps, 'check'>,
): Disposable {
  const disposables = new Disposables();
  const register = (
    name: LmToolName,
    answer: (input: JsonObject, asking: string | undefined, token: vscode.CancellationToken) => Promise<string>,
    prepare?: () => vscode.PreparedToolInvocation,
  ): void => {
    const tool: vscode.LanguageModelTool<unknown> = {
      ...(prepare && { prepareInvocation: prepare }),
      async invoke({ input, toolInvocationToken }, token) {
        const { safeAnswer } = await import('../../../runs/lmTools/safeRecords');
        const said = await answer(objectOf(input), askingSession(toolInvocationToken), token);
        const text = boundedText(safeAnswer(said, configuration.ownRedaction));
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
      },
    };
    disposables.add(vscode.lm.registerTool(name, tool));
  };
  const registerForRun = (
    name: LmToolName,
    answer: (run: RunView, input: JsonObject, redaction: Redaction) => Promise<string>,
  ): void =>
    register(name, async (input, asking, token) => {
      const run = await runs.find(input['run'], asking, token);
      return typeof run === 'string' ? run : answer(run, input, configuration.ownRedaction);
    });
  register('agentLogs_listRuns', async (_, asking) =>
    (await import('../../../runs/lmTools/listRuns')).listRuns(await runs.all(asking)),
  );
  registerForRun('agentLogs_searchRecords', async (...given) =>
    (await import('../../../runs/lmTools/searchRecords')).searchRecords(...given),
  );
  registerForRun('agentLogs_listTurns', async (...given) =>
    (await import('../../../runs/lmTools/listTurns')).listTurns(...given),
  );
  registerForRun('agentLogs_explainTermination', async (run, _, redaction) =>
    (await import('../../../runs/lmTools/explainTermination')).explainTermination(run, redaction),
  );
  register(
    'agentLogs_checkMcpServers',
    async (input, _, token) => (await import('./checkMcpServers')).checkMcpServers(checkUps, input, token),
    () => ({
      invocationMessage: vscode.l10n.t('Checking MCP servers'),
      confirmationMessages: {
        title: vscode.l10n.t('Check MCP Servers'),
        message: vscode.l10n.t('This starts the MCP servers in the settings of your agents and editors once.'),
      },
    }),
  );
  return disposables;
}

/** Whether a folder belongs to this workspace. */
export function isInWorkspace(folder: string): boolean {
  return folder !== '' && vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder)) !== undefined;
}
