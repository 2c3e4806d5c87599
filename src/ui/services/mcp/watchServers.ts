import { dirname, isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import type { Redactor } from '../../../redact/redactor';
import { displayOf, t } from '../../../text/translator';
import { HumanError } from '../../../text/humanError';
import type { ConfigChange } from '../../../mcpServers/configChange';
import { forgetGone, startWatching, stopChanges, stopWatching, watchChanges } from '../../../mcpServers/configChange';
import type { ServerPlaces } from '../../../mcpServers/configFiles';
import type { ConfiguredServer } from '../../../mcpServers/configuredServers';
import { configuredServers } from '../../../mcpServers/configuredServers';
import type { WatchedServer } from '../../../mcpServers/watchMemory';
import type { InstalledTap } from '../installedTap';
import { commandIds } from '../../manifest/commands';
import { askAbout, labelText, showAlert, showInformation } from '../../kit/notify';
import { translate } from '../../kit/translate';
import { ConfigReview } from './configReview';
import type { McpServers } from './mcpServers';
import { pickServers, shortPath } from './pickServers';
import { openFile } from '../../kit/openFile';

/** VS Code's own list of servers, where they can be restarted. */
const listServers = 'workbench.mcp.listServer';

/** Puts the tap in front of servers that the user chooses. Returns the names of those that are watched now. */
export async function watchServers(
  servers: McpServers,
  tap: InstalledTap,
  redactor: Redactor,
): Promise<readonly string[]> {
  checkTrust();
  const { servers: found, problems } = await configuredServers(servers.places);
  for (const { message } of problems) void showAlert(translate(message));
  const unwatched = found.filter(({ isWatched }) => !isWatched);
  if (unwatched.length === 0) {
    if (found.length > 0) void offerToStop();
    else void showInformation(vscode.l10n.t('No MCP servers found in the settings of clients on this machine.'));
    return [];
  }
  const chosen = await pickServers(unwatched, {
    title: vscode.l10n.t('Watch MCP Servers'),
    placeholder: vscode.l10n.t('Select servers to record from their next start'),
    all: false,
    redactor,
  });
  if (!chosen || chosen.length === 0) return [];
  const cli = await tap.make().catch((error: unknown) => {
    throw new HumanError(t("Couldn't install the tap for other editors: {0}", displayOf(error)));
  });
  const changes = await watchChanges(chosen, cli);
  if (!(await isConfirmed(changes, questionOf(changes, chosen), vscode.l10n.t('Watch')))) return [];
  const memory = await servers.memory();
  for (const change of changes) await startWatching(change, memory);
  await servers.refresh();
  void tellRestart(vscode.l10n.t('Watching {0}.', namesOf(changes)), chosen);
  return changes.flatMap((change) => change.servers.map(nameOf));
}

/** Restores the entries of servers that the user chooses. Returns the names of those that are no longer watched. */
export async function stopWatchingServers(servers: McpServers, redactor: Redactor): Promise<readonly string[]> {
  checkTrust();
  const memory = await servers.memory();
  const known = await memory.all();
  const { servers: found, problems } = await configuredServers(withFoldersOf(known, servers.places));
  for (const { message } of problems) void showAlert(translate(message));
  const watched = found.filter(({ isWatched }) => isWatched);
  await forgetGone(
    found,
    problems.map(({ file }) => file),
    memory,
  );
  await servers.refresh();
  if (watched.length === 0) {
    void showInformation(vscode.l10n.t('No MCP server is watched.'));
    return [];
  }
  const chosen = await pickServers(watched, {
    title: vscode.l10n.t('Stop Watching MCP Servers'),
    placeholder: vscode.l10n.t('Select servers to restore'),
    all: true,
    redactor,
  });
  if (!chosen || chosen.length === 0) return [];
  const { changes, conflicts } = await stopChanges(chosen, memory);
  for (const conflict of conflicts) void showConflict(conflict);
  const question = vscode.l10n.t('Restore the commands of {0}?', namesOf(changes));
  if (!(await isConfirmed(changes, question, vscode.l10n.t('Restore')))) return [];
  for (const change of changes) await stopWatching(change, memory);
  await servers.refresh();
  void tellRestart(vscode.l10n.t('No longer watching {0}.', namesOf(changes)), chosen);
  return changes.flatMap((change) => change.servers.map(nameOf));
}

function checkTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw new HumanError(t('MCP servers are watched only in trusted workspaces.'), ['trust']);
}

async function offerToStop(): Promise<void> {
  const stop = vscode.l10n.t('Stop Watching…');
  const picked = await showInformation(vscode.l10n.t('All MCP servers found are watched already.'), stop);
  if (picked === stop) await vscode.commands.executeCommand(commandIds.stopWatchingMcpServers);
}

function questionOf(changes: readonly ConfigChange[], chosen: readonly ConfiguredServer[]): string {
  const question = vscode.l10n.t('Start {0} through the Agent Logs tap?', namesOf(changes));
  const isShared = chosen.some(({ config }) => config.folder !== undefined);
  return isShared
    ? `${question} ${vscode.l10n.t("Don't commit the change: it has a path of this machine.")}`
    : question;
}

/** Shows the changes, and asks in a notification, so that they can be read meanwhile. */
export async function isConfirmed(
  changes: readonly ConfigChange[],
  question: string,
  button: string,
): Promise<boolean> {
  if (changes.length === 0) return false;
  const review = new ConfigReview(changes);
  try {
    await review.show();
    if ((await askAbout(question, button, vscode.l10n.t('Cancel'))) !== button) return false;
    review.checkSaved();
    return true;
  } finally {
    review.dispose();
  }
}

/** Clients read their settings when they start. */
async function tellRestart(what: string, servers: readonly ConfiguredServer[]): Promise<void> {
  const clients = [...new Set(servers.map(({ client }) => client.label))];
  const isOwn = servers.some(({ client }) => client.id === 'vscode');
  const button = vscode.l10n.t('List MCP Servers');
  const next = vscode.l10n.t('Restart the servers in {0} to apply this.', clients.join(', '));
  const picked = await showInformation(`${what} ${next}`, ...(isOwn ? [button] : []));
  if (picked === button) await vscode.commands.executeCommand(listServers);
}

async function showConflict({ name, file }: ConfiguredServer): Promise<void> {
  const open = vscode.l10n.t('Open File');
  const picked = await showAlert(
    vscode.l10n.t(
      '{0} in {1} was changed by hand, so it was left as it is. Remove the words up to `--` there.',
      labelText(name),
      shortPath(file),
    ),
    open,
  );
  if (picked === open) await openFile(vscode.Uri.file(file));
}

/** Also the folders of servers that were watched from another window. */
function withFoldersOf(known: readonly WatchedServer[], { machine, folders }: ServerPlaces): ServerPlaces {
  const others = known.flatMap(({ file, path }) => [
    dirname(file),
    dirname(dirname(file)),
    ...path.filter((key) => isAbsolute(key)),
  ]);
  return { machine, folders: [...new Set([...folders, ...others])] };
}

function namesOf(changes: readonly ConfigChange[]): string {
  return labelText(changes.flatMap((change) => change.servers.map(nameOf)).join(', '), 200);
}

function nameOf({ path }: WatchedServer): string {
  return path.at(-1) ?? '';
}
