import { t, displayOf } from '../../../text/translator';
import * as vscode from 'vscode';
import { HumanError } from '../../../text/humanError';
import type { TapCommand, TapTarget } from '../../../live/config/tapCommand';
import { commandIds } from '../../manifest/commands';
import { confirm, showBriefly } from '../../kit/notify';
import { pick } from '../../kit/pick';
import type { CommandContext, CommandTable } from './commandContext';
import { showRun } from './searchCommand';

/** Commands about files that other programs wrote, and agents that other editors start. */
export const fileCommands = {
  [commandIds.openFile]: openFile,
  [commandIds.copyTapCommand]: copyTapCommand,
} satisfies CommandTable;

/**
 * @param arg the URI of a journal, a transcript, an agent's stream or a log; asks if there is none
 * @returns the run's id
 */
async function openFile(services: CommandContext, arg: unknown): Promise<string | undefined> {
  const uri = arg instanceof vscode.Uri ? arg : await askFile();
  if (!uri) return undefined;
  if (uri.scheme !== 'file') {
    throw new HumanError(t('Only files on the machine where the extension runs can be opened.'));
  }
  const own = services.views.writerOf(uri.fsPath);
  if (own) return showRun(own, services);
  const found = await services.fileRuns.at(uri.fsPath, 'opened').catch((error: unknown) => {
    throw new HumanError(t("Can't open {0}: {1}", uri.fsPath, displayOf(error)));
  });
  return showRun(await services.fileRuns.show(found), services);
}

async function copyTapCommand(services: CommandContext, arg: unknown): Promise<string | undefined> {
  const agent = await services.targets.agent(arg, vscode.l10n.t('Select an agent to tap in another editor'));
  if (!agent) return undefined;
  if ('url' in agent) {
    throw new HumanError(t('{0} is reached over HTTP. The tap works only with programs.', agent.name));
  }
  if ('replay' in agent) {
    throw new HumanError(
      t('{0} is a recorded run. Other editors start it with {1}.', agent.name, '`agent-logs replay RUN`'),
    );
  }
  const target = await pick<TapTarget>(
    [
      { label: 'Zed', description: 'settings.json, agent_servers', value: 'zed' },
      { label: 'JetBrains', description: '~/.jetbrains/acp.json', value: 'jetbrains' },
      {
        label: vscode.l10n.t('Shell'),
        description: vscode.l10n.t('or any other client'),
        value: 'shell',
      },
    ],
    { title: vscode.l10n.t('Select the editor that starts {0}', agent.name) },
  );
  if (!target) return undefined;
  const cli = await services.tap.make().catch((error: unknown) => {
    throw new HumanError(t("Couldn't install the tap for other editors: {0}", displayOf(error)));
  });
  const { tapCommand, tapText } = await import('../../../live/config/tapCommand'); // It needs the redactor, which is large.
  const command = tapCommand(agent, services.launcher.contextFor(agent), cli);
  if (command.secrets.length > 0 && !(await confirmSecrets(command))) return undefined;
  const text = tapText(target, command);
  await vscode.env.clipboard.writeText(text);
  showBriefly(vscode.l10n.t('Command copied. Its traffic appears live in Sessions.'));
  return text;
}

/** Asks, because the clipboard and the other editor's settings aren't safe places for secrets. */
function confirmSecrets({ name, secrets }: TapCommand): Promise<boolean> {
  return confirm(
    vscode.l10n.t('The command for {0} contains secrets. Copy it?', name),
    vscode.l10n.t(
      'The values of {0} will be in the clipboard and in the settings you paste them into.',
      secrets.join(', '),
    ),
    vscode.l10n.t('Copy with Secrets'),
  );
}

async function askFile(): Promise<vscode.Uri | undefined> {
  const picked = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Open a journal, JSON stream or log file'),
    filters: {
      [vscode.l10n.t('Logs')]: ['ndjson', 'jsonl', 'json', 'log', 'txt', 'trace'],
      [vscode.l10n.t('All files')]: ['*'],
    },
  });
  return picked?.[0];
}
