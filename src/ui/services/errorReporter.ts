import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Remedy } from '../../text/humanError';
import { AgentGone, Declined, HumanError } from '../../text/humanError';
import { displayOf } from '../../text/translator';
import type { Run } from '../../live/run';
import type { RunView } from '../../runLog/runView';
import type { Runs } from '../../runs/runs';
import { isOwnRun } from '../../runs/runs';
import { Cancelled } from '../../time/waiting';
import { isCrash } from '../../wire/termination';
import type { ExtensionLog } from './logChannels';
import { executeCommand, openAgentSetting, openSettingCommand } from './settings/openSettingCommand';
import { commandIds } from '../manifest/commands';
import { outputLink, showError } from '../kit/notify';
import { translate } from '../kit/translate';
import { installFor, installLabel, showInstall } from '../kit/installButton';
import { failureOf, showWhy, whyLabel } from '../kit/whyButton';

/** How long an agent may take to exit after it closed its output, in milliseconds. */
const exitTimeout = 15_000;

interface Button {
  readonly title: string;
  readonly run: () => Thenable<unknown>;
}

/** Shows errors to the user: one notification each, with buttons for what to do and for the log. */
export class ErrorReporter {
  /** Two callers that wait for the same thing fail with the same error. */
  private readonly reported = new WeakSet<Error>();

  constructor(
    private readonly runs: Runs,
    private readonly log: ExtensionLog,
  ) {}

  /** @param concerned the run that a command was about, if the error doesn't name one */
  async report(error: unknown, concerned?: RunView): Promise<void> {
    if (error instanceof Cancelled || error instanceof Declined) return;
    if (error instanceof Error) {
      if (this.reported.has(error)) return;
      this.reported.add(error);
    }
    const named = error instanceof HumanError && error.runId !== undefined ? this.runs.find(error.runId) : undefined;
    const run = named ?? concerned;
    if (error instanceof AgentGone && isOwnRun(run) && (await crashes(run))) return; // `CrashNotices` reports it.
    if (run === undefined || !(error instanceof HumanError)) this.log.error(error);
    const remedies = error instanceof HumanError ? error.remedies : [];
    const agent = error instanceof HumanError ? (error.agent ?? run?.name) : undefined;
    const buttons = [
      ...(await installButton(error)),
      ...remedies.flatMap((remedy) => this.button(remedy, agent, error)),
      ...whyButton(error, run),
    ];
    const link = run === undefined ? this.log : outputLink(run);
    const picked = await showError(messageFor(error, run), link, ...buttons.map(({ title }) => title));
    await buttons.find(({ title }) => title === picked)?.run();
  }

  private button(remedy: Remedy, agent: string | undefined, error: unknown): Button[] {
    switch (remedy) {
      case 'settings': {
        const setting = error instanceof HumanError ? error.setting : undefined;
        const open = (): Thenable<unknown> =>
          setting === undefined ? openAgentSetting(agent) : executeCommand(openSettingCommand(setting));
        return [{ title: vscode.l10n.t('Open Setting'), run: open }];
      }
      case 'trust':
        return [
          {
            title: vscode.l10n.t('Manage Workspace Trust'),
            run: () => vscode.commands.executeCommand('workbench.trust.manage'),
          },
        ];
      case 'logIn':
        return [{ title: vscode.l10n.t('Log In'), run: () => vscode.commands.executeCommand(commandIds.logIn, agent) }];
      case 'output':
      case 'restart':
        return []; // The tree has these for each run.
    }
  }
}

/** What went wrong, with the name of the agent. */
function messageFor(error: unknown, run: RunView | undefined): string {
  const message = translate(displayOf(error));
  return run === undefined || message.includes(run.name) ? message : vscode.l10n.t('{0}: {1}', run.name, message);
}

async function installButton(error: unknown): Promise<Button[]> {
  const install = error instanceof HumanError ? await installFor(error) : undefined;
  return install ? [{ title: installLabel(install), run: () => showInstall(install) }] : [];
}

/** Only if the run has more to say. */
function whyButton(error: unknown, run: RunView | undefined): Button[] {
  const isFailure = error instanceof HumanError && run !== undefined && failureOf(run) !== undefined;
  return isFailure ? [{ title: whyLabel(), run: () => showWhy(run) }] : [];
}

/** Whether a run that no longer answers turns out to have crashed. */
async function crashes(run: Run): Promise<boolean> {
  const termination = await Promise.race([run.ended(), setTimeout(exitTimeout, undefined, { ref: false })]);
  return termination !== undefined && isCrash(termination);
}
