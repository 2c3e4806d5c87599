import * as vscode from 'vscode';
import type { Remedy } from '../runs/humanError';
import { AgentGone, Declined, HumanError, messageOf } from '../runs/humanError';
import { Run } from '../runs/run';
import type { RunView } from '../runs/runView';
import type { Runs } from '../runs/runs';
import { Cancelled } from '../runs/waiting';
import { isCrash } from '../log/termination';
import type { ExtensionLog } from './extensionLog';
import { go, wayToAgent } from './settings/wayToSetting';
import { tellError } from './notify';
import { outputOf } from './wayToLog';

/** An agent whose output has closed is ended within this time, in milliseconds. */
const patience = 15_000;

interface Button {
  readonly title: string;
  readonly run: () => Thenable<unknown>;
}

/** Tells the person of an error: one notification for each, what to do about it, and the way to the log. */
export class Problems {
  /** Two who wait for the same thing fail with the same error. */
  private readonly told = new WeakSet<Error>();

  constructor(
    private readonly runs: Runs,
    private readonly log: ExtensionLog,
  ) {}

  /** @param concerned the run that a command was about, where the error does not name one */
  async tell(error: unknown, concerned?: RunView): Promise<void> {
    if (error instanceof Cancelled || error instanceof Declined) return;
    if (error instanceof Error) {
      if (this.told.has(error)) return;
      this.told.add(error);
    }
    const named = error instanceof HumanError && error.runId !== undefined ? this.runs.find(error.runId) : undefined;
    const run = named ?? concerned;
    if (error instanceof AgentGone && run instanceof Run && (await crashes(run))) return; // a notice tells of that
    if (run === undefined || !(error instanceof HumanError)) this.log.error(error);
    const remedies = error instanceof HumanError ? error.remedies : [];
    const agent = error instanceof HumanError ? (error.agent ?? run?.name) : undefined;
    const buttons = remedies.flatMap((remedy) => this.button(remedy, agent));
    const way = run === undefined ? this.log : outputOf(run);
    const picked = await tellError(messageOf(error), way, ...buttons.map(({ title }) => title));
    await buttons.find(({ title }) => title === picked)?.run();
  }

  private button(remedy: Remedy, agent: string | undefined): Button[] {
    switch (remedy) {
      case 'settings':
        return [
          {
            title: vscode.l10n.t('Open Setting'),
            run: () => go(wayToAgent(agent)),
          },
        ];
      case 'trust':
        return [
          { title: vscode.l10n.t('Manage Trust'), run: () => vscode.commands.executeCommand('workbench.trust.manage') },
        ];
      case 'output':
      case 'restart':
        return []; // the run's own buttons
    }
  }
}

/** Whether a run that can answer no more has crashed, once it has ended. */
async function crashes(run: Run): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patience);
  });
  const termination = await Promise.race([run.ended(), tooLate]);
  clearTimeout(timer);
  return termination !== undefined && isCrash(termination);
}
