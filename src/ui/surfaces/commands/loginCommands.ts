import { t } from '../../../text/translator';
import * as vscode from 'vscode';
import { HumanError } from '../../../text/humanError';
import type { RemoteDefinition } from '../../../live/config/launchSpec';
import { commandIds } from '../../manifest/commands';
import { labelText, showInformation } from '../../kit/notify';
import { pick } from '../../kit/pick';
import type { CommandContext, CommandTable } from './commandContext';

/** Commands about logins to MCP servers. */
export const loginCommands = {
  [commandIds.logIn]: logIn,
  [commandIds.logOut]: logOut,
} satisfies CommandTable;

/** Logs in, then connects. Returns the ID of the run. */
async function logIn(services: CommandContext, arg: unknown): Promise<string | undefined> {
  const name = await server(services, arg, vscode.l10n.t('Log in to which server?'), () => Promise.resolve(true));
  if (name === undefined) return undefined;
  const run = await services.launcher.logIn(name);
  await services.tree.reveal(run);
  return run.id;
}

async function logOut(services: CommandContext, arg: unknown): Promise<void> {
  const { launcher } = services;
  const name = await server(services, arg, vscode.l10n.t('Log out of which server?'), (agent) =>
    launcher.isLoggedIn(agent),
  );
  if (name === undefined) return;
  await launcher.logOut(name);
  void showInformation(vscode.l10n.t('Logged out of {0}.', name));
}

/** The server of the argument, or the one the user picks. */
async function server(
  services: CommandContext,
  arg: unknown,
  title: string,
  fits: (agent: RemoteDefinition) => Promise<boolean>,
): Promise<string | undefined> {
  if (arg !== undefined) {
    const agent = await services.targets.agent(arg, title);
    return agent?.name ?? (typeof arg === 'string' ? arg : undefined);
  }
  const servers = services.launcher.known.filter((agent) => 'url' in agent);
  const fitting = await Promise.all(servers.map(async (agent) => ((await fits(agent)) ? [agent] : [])));
  const choices = fitting.flat().map(({ name, url }) => ({
    label: labelText(name),
    description: labelText(url),
    value: name,
  }));
  if (choices.length > 0) return pick(choices, { title });
  throw new HumanError(
    servers.length === 0
      ? t('No agent in agentLogs.agents has a "url" to log in to.')
      : t("You aren't logged in to any server."),
    ['settings'],
  );
}
