import * as vscode from 'vscode';
import { objectOf } from '../../../../text/json';
import type { JsonObject } from '../../../../text/json';
import { withDelayedProgress } from '../../../kit/delayedProgress';
import { commandIds } from '../../../manifest/commands';
import { serverNames } from '../../../services/mcp/serverNames';
import { showInformation } from '../../../kit/notify';
import { translate } from '../../../kit/translate';
import type { CommandContext, CommandTable } from '../commandContext';

/** The check-up of MCP servers. */
export const checkMcpCommands = {
  [commandIds.checkMcpServers]: checkMcpServers,
} satisfies CommandTable;

/** Without servers there is nothing to wait for, in milliseconds. */
const progressDelay = 300;

/** Checks the servers that are named, or all, and shows the result; returns it for programs, unless there are no servers. */
async function checkMcpServers(services: CommandContext, arg: unknown): Promise<JsonObject | undefined> {
  try {
    return await checkAndShow(services, arg);
  } catch (error) {
    const { NoServers } = await import('../../../../mcpServers/check/preparedCheckUp');
    if (!(error instanceof NoServers)) throw error;
    void showInformation(translate(error.words));
    return undefined;
  }
}

async function checkAndShow(services: CommandContext, arg: unknown): Promise<JsonObject> {
  const names = serverNames(objectOf(arg));
  const result = await withDelayedProgress(
    vscode.l10n.t('Checking MCP servers'),
    (token, report) =>
      services.checkUps.check({ names, token, report: (done, of) => report(vscode.l10n.t('{0} of {1}', done, of)) }),
    progressDelay,
  );
  services.report.show(vscode.l10n.t('MCP Servers'), result.shown, result.links);
  return result.json;
}
