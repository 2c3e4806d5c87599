import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { HumanError } from '../../../text/humanError';
import { t } from '../../../text/translator';
import type { ConfigChange } from '../../../mcpServers/configChange';
import { addChange, makeChange, undoChange } from '../../../mcpServers/configChange';
import type { ConfigFile } from '../../../mcpServers/configFiles';
import { configFiles } from '../../../mcpServers/configFiles';
import { showInformation } from '../../kit/notify';
import type { Choice } from '../../kit/pick';
import { pick, section } from '../../kit/pick';
import type { ErrorReporter } from '../errorReporter';
import type { AgentServer } from './agentServer';
import type { McpServers } from './mcpServers';
import { shortPath } from './pickServers';
import { isConfirmed } from './watchServers';

const name = 'agent-logs';

/** Adds the server to the settings of an agent that the user chooses, after showing the change. Returns the file that has it. */
export async function addToAgent(
  servers: McpServers,
  server: AgentServer,
  errors: Pick<ErrorReporter, 'report'>,
): Promise<string | undefined> {
  if (!vscode.workspace.isTrusted) {
    throw new HumanError(t('Settings of agents are changed only in trusted workspaces.'), ['trust']);
  }
  const config = await pickFile(configFiles(servers.places));
  if (!config) return undefined;
  const change = await addChange(config, { name, words: ['node', ...(await server.args())] });
  const { label } = config.client;
  if (!change) {
    void showInformation(vscode.l10n.t('{0} has the MCP server `{1}` already.', label, name));
    return config.path;
  }
  const question = vscode.l10n.t('Let {0} read logs of agents with the MCP server `{1}`?', label, name);
  if (!(await isConfirmed([change], question, vscode.l10n.t('Add')))) return undefined;
  await makeChange(change);
  void offerUndo(change, label).catch((error: unknown) => errors.report(error));
  return config.path;
}

async function offerUndo(change: ConfigChange, label: string): Promise<void> {
  const undo = vscode.l10n.t('Undo');
  const done = vscode.l10n.t('Added to {0}. Restart it, then ask it why a session failed.', label);
  if ((await showInformation(done, undo)) === undo) await undoChange(change);
}

/** Asks for a settings file: one that exists, or that of the user in the folder of an agent that is installed. */
async function pickFile(files: readonly ConfigFile[]): Promise<ConfigFile | undefined> {
  const existing = files.filter(({ path }) => existsSync(path));
  const ofUser = files.filter(({ folder }) => folder === undefined);
  const isMissing = ({ client }: ConfigFile): boolean =>
    !existing.some((one) => one.folder === undefined && one.client === client);
  const fresh = ofUser.filter((file, index) => {
    const isFirst = ofUser.findIndex(({ client }) => client === file.client) === index;
    return isFirst && isMissing(file) && existsSync(dirname(file.path));
  });
  const choices = (of: readonly ConfigFile[]): readonly Choice<ConfigFile>[] =>
    of.map((file) => ({ label: file.client.label, description: shortPath(file.path), value: file }));
  const all = [...existing, ...fresh];
  if (all.length === 0) throw new HumanError(t('No settings of agents were found on this machine.'));
  return pick(
    [
      ...section(vscode.l10n.t('User Settings'), choices(all.filter(({ folder }) => folder === undefined))),
      ...section(vscode.l10n.t('Workspace Settings'), choices(all.filter(({ folder }) => folder !== undefined))),
    ],
    {
      title: vscode.l10n.t('Select an agent that may read logs of agents'),
      placeholder: vscode.l10n.t('Adds the read-only MCP server {0}; shows the change first', 'agent-logs mcp'),
    },
  );
}
