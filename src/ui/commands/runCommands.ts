import * as vscode from 'vscode';
import type { Termination } from '../../log/termination';
import type { Run } from '../../runs/run';
import type { Runs } from '../../runs/runs';
import { HumanError } from '../../runs/humanError';
import type { Launcher } from '../agents/launcher';
import { commandIds } from '../ids';
import { withLateProgress } from '../lateProgress';
import { tellInformation } from '../notify';
import type { RecordDocuments } from '../records/recordDocuments';
import type { SessionTree } from '../tree/sessionTree';
import { runNode } from '../tree/treeNode';
import type { LevelControl } from '../level/levelControl';
import type { OutputChannels } from '../output/outputChannels';
import type { CommandTable } from './commandTable';
import type { Targets } from './targets';
import { isLive } from './targets';

/** What the sample agent is asked at first, so that there is something to see. */
const samplePrompt = 'Hello';

/** Commands about agents and their runs. */
export class RunCommands {
  readonly table: CommandTable = {
    [commandIds.start]: (arg) => this.start(arg),
    [commandIds.startSampleAgent]: () => this.startSample(),
    [commandIds.stop]: (arg) => this.stop(arg),
    [commandIds.restart]: (arg) => this.restart(arg),
    [commandIds.showOutput]: (arg) => this.showOutput(arg),
    [commandIds.showTermination]: (arg) => this.showTermination(arg),
    [commandIds.revealJournal]: (arg) => this.revealJournal(arg),
    [commandIds.deleteJournal]: (arg) => this.deleteJournal(arg),
    [commandIds.clear]: (arg) => this.clear(arg),
    [commandIds.removeRun]: (arg) => this.remove(arg),
    [commandIds.startFromTitle]: () => this.start(undefined),
    [commandIds.showOutputFromTitle]: () => this.showOutput(undefined),
  };

  constructor(
    private readonly runs: Runs,
    private readonly launcher: Launcher,
    private readonly targets: Targets,
    private readonly channels: OutputChannels,
    private readonly levels: LevelControl,
    private readonly tree: SessionTree,
    private readonly documents: RecordDocuments,
  ) {}

  private async start(arg: unknown): Promise<string | undefined> {
    const agent = await this.targets.agent(arg, vscode.l10n.t('Start which agent?'));
    const name = agent?.name ?? (typeof arg === 'string' ? arg : undefined);
    if (name === undefined) return undefined;
    return this.welcome(await this.launcher.start(name));
  }

  /** A run that has just begun: unfolded, with the next step offered. */
  private async welcome(run: Run): Promise<string> {
    await this.tree.reveal(run);
    // Agents log little before they have a session, and a new user cannot know that.
    if (run.log.sessions.length === 0) void this.offerSession(run);
    return run.id;
  }

  private async offerSession(run: Run): Promise<void> {
    const open = vscode.l10n.t('New Session');
    const output = vscode.l10n.t('Show Output');
    const picked = await tellInformation(
      vscode.l10n.t('{0} is running. Most agents log only when a session is open.', run.name),
      open,
      output,
    );
    if (picked === open) await vscode.commands.executeCommand(commandIds.newSession, runNode(run));
    if (picked === output) await vscode.commands.executeCommand(commandIds.showOutput, runNode(run));
  }

  /** One click to something to look at: the sample agent, a session, and a first turn. */
  private async startSample(): Promise<string> {
    const run = await this.launcher.start(this.launcher.sample.name);
    const sessionId = await run.newSession();
    void run.prompt(sessionId, samplePrompt).catch(() => undefined); // a failed turn stands in the log
    await vscode.commands.executeCommand('agentLogs.sessions.focus');
    return run.id;
  }

  private async stop(arg: unknown): Promise<unknown> {
    const run = await this.targets.run(arg, isLive, vscode.l10n.t('Stop which agent?'));
    if (!run) return undefined;
    return withLateProgress(vscode.l10n.t('Stopping {0}', run.name), (token) => {
      // There is no way back: who does not want to wait, ends it sooner.
      token.onCancellationRequested(() => void run.stop());
      return run.stop();
    });
  }

  private async restart(arg: unknown): Promise<string | undefined> {
    const run = await this.targets.run(arg, () => true, vscode.l10n.t('Restart which agent?'));
    return run && this.welcome(await this.launcher.restart(run.name));
  }

  private async showOutput(arg: unknown): Promise<void> {
    const run = await this.targets.run(arg, () => true, vscode.l10n.t('Show the output of which agent?'));
    if (!run) return;
    this.channels.find(run.name)?.show();
    await this.levels.alignShown(run);
  }

  private async showTermination(arg: unknown): Promise<Termination | undefined> {
    const run = await this.targets.run(
      arg,
      ({ state }) => state.type === 'ended',
      vscode.l10n.t('How did which run end?'),
      vscode.l10n.t('No run has ended yet.'),
    );
    if (!run) return undefined;
    await this.documents.openTermination(run);
    return run.state.type === 'ended' ? run.state.termination : undefined;
  }

  /** Shows the file in the system's file manager, or where there is none (in a browser) in an editor. */
  private async revealJournal(arg: unknown): Promise<void> {
    const run = await this.targets.run(
      arg,
      ({ journal }) => journal !== undefined,
      vscode.l10n.t('The journal of which run?'),
    );
    await run?.journal?.flush();
    const path = run?.journal?.path;
    if (!run) return;
    if (path === undefined) {
      throw new HumanError(vscode.l10n.t('This run has no journal: see agentLogs.journal.enabled.'));
    }
    const uri = vscode.Uri.file(path);
    if (vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined) {
      await vscode.commands.executeCommand('revealFileInOS', uri);
    } else await vscode.window.showTextDocument(uri, { preview: true });
  }

  private async deleteJournal(arg: unknown): Promise<void> {
    const run = this.targets.runOf(arg);
    if (run?.state.type !== 'ended') {
      throw new HumanError(vscode.l10n.t('The journal of a run that is alive is being written.'));
    }
    await run.journal?.delete();
    void tellInformation(vscode.l10n.t('The journal of this run of {0} was deleted.', run.name));
  }

  private async clear(arg: unknown): Promise<void> {
    const run = await this.targets.run(arg, () => true, vscode.l10n.t('Clear the records of which run?'));
    run?.log.clear();
  }

  private remove(arg: unknown): Promise<void> {
    const run = this.targets.runOf(arg);
    if (run?.state.type !== 'ended') throw new HumanError(vscode.l10n.t('Only a run that has ended can be removed.'));
    this.runs.remove(run);
    return Promise.resolve();
  }
}
