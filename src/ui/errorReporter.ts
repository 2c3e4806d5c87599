import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Remedy } from '../runs/humanError';
import { AgentGone, Declined, HumanError } from '../runs/humanError';
import { displayOf } from '../log/translator';
import type { Run } from '../runs/run';
import type { RunView } from '../runs/runView';
import type { Runs } from '../runs/runs';
import { isOwnRun } from '../runs/runs';
import { Cancelled } from '../runs/waiting';
import { isCrash } from '../log/termination';
import type { ExtensionLog } from './logChannels';
import { executeCommand, openAgentCommand } from './settings/openSettingCommand';
import { commandIds } from './ids';
import { outputLink, showError } from './notify';
import { translate } from './translate';

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
    const buttons = remedies.flatMap((remedy) => this.button(remedy, agent));
    const link = run === undefined ? this.log : outputLink(run);
    const picked = await showError(translate(displayOf(error)), link, ...buttons.map(({ title }) => title));
    await buttons.find(({ title }) => title === picked)?.run();
  }

  private button(remedy: Remedy, agent: string | undefined): Button[] {
    switch (remedy) {
      case 'settings':
        return [{ title: vscode.l10n.t('Open Setting'), run: () => executeCommand(openAgentCommand(agent)) }];
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

/** Whether a run that no longer answers turns out to have crashed. */
async function crashes(run: Run): Promise<boolean> {
  const termination = await Promise.race([run.ended(), setTimeout(exitTimeout, undefined, { ref: false })]);
  return termination !== undefined && isCrash(termination);
}
