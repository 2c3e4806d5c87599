import * as vscode from 'vscode';
import type { Threshold } from '../../../text/level';
import type { Words } from '../../../text/translator';
import { t } from '../../../text/translator';
import { peer } from '../../../protocols/terms';
import type { Runs } from '../../../runs/runs';
import { runTarget } from '../../kit/commandTarget';
import { commandIds } from '../../manifest/commands';
import type { LevelChange, LevelResult } from '../../services/level/levelControl';
import { showBriefly, showInformation } from '../../kit/notify';
import { translateFor } from '../../kit/translateFor';

/** Reports a change of level: in the status bar if it worked, otherwise as a notification, with a restart if that helps. */
export async function reportLevelChange({ agent, level, result }: LevelChange, runs: Runs): Promise<void> {
  const run = runs.latestOf(agent.name);
  const restart = vscode.l10n.t('Restart {0}', agent.name);
  const isRunning = run?.state.type === 'running';
  const message = describeResult({ agent, level, result }, isRunning);
  if (!isRunning || result.agent === 'applied') {
    // The status bar has room for little, and the picker said what is shown.
    showBriefly(message);
    return;
  }
  const picked = await showInformation(
    [message, describeShown(level)].join(' '),
    ...(result.agent === 'needs-restart' ? [restart] : []),
  );
  if (picked === restart) await vscode.commands.executeCommand(commandIds.restart, runTarget(run));
}

/** The agent's part comes first, because VS Code cuts a notification without buttons to one line. */
function describeResult({ agent, level, result }: LevelChange, isRunning: boolean): string {
  const part = isRunning ? agentPart(level, result) : t('{0} applies the next time the {1} starts.', level, peer);
  return [translateFor(agent, part), ...(isRunning && !result.channel ? [describeChannelPart(result)] : [])].join(' ');
}

function describeShown(level: Threshold): string {
  if (level === 'debug') return vscode.l10n.t('All records are shown.');
  if (level === 'off') return vscode.l10n.t('Sessions and the output hide all records; the Log Explorer shows them.');
  return vscode.l10n.t('Sessions and the output hide records below {0}; the Log Explorer shows them.', level);
}

function describeChannelPart({ channelWhenShown }: LevelResult): string {
  return channelWhenShown === true
    ? vscode.l10n.t('The output channel switches the next time you open it.')
    : vscode.l10n.t('The output channel keeps its own level. Change it with the gear in the Output view.');
}

function agentPart(level: Threshold, { agent }: LevelResult): Words {
  switch (agent) {
    case 'applied':
      return level === 'off'
        ? t('The {0} was asked to stop logging.', peer)
        : t('The {1} now logs at {0}.', level, peer);
    case 'unsupported':
      return t("The {0} can't change its level.", peer);
    case 'needs-restart':
      return t("The {1} can't change its level while it's running. Restart it to log at {0}.", level, peer);
    case 'failed':
      return t("The {0} didn't change its level. See its output.", peer);
  }
}
