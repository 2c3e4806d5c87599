import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Words } from '../../log/translator';
import { t, displayOf, verbatim } from '../../log/translator';
import { isProtocol } from '../../log/protocol';
import { isBeingWritten } from '../../runs/actions';
import type { LaunchContext, ProcessDefinition, ReplayDefinition } from '../../runs/config/launchSpec';
import { replayTarget } from '../../runs/config/launchSpec';
import type { FileRun } from '../../runs/files/fileRun';
import type { FileRuns } from '../../runs/files/fileRuns';
import { isFileRun } from '../../runs/files/fileRuns';
import { codeOf, HumanError } from '../../runs/humanError';
import { noMessages, replayProblem } from '../../runs/replay/replayProblem';
import type { RunViews } from '../../runs/runs';
import type { RunView } from '../../runs/runView';
import { isLive } from '../../runs/runView';
import { isNamed } from '../../wire/journal/journalFolder';

/** Recorded runs that are played again as agents, by the extension's own `agent-logs replay`. */
export class Replays {
  /** Those that a command started in this window, by name. */
  private readonly added = new Map<string, ReplayDefinition>();
  private readonly program: string;

  constructor(
    private readonly fileRuns: FileRuns,
    private readonly views: RunViews,
    extensionPath: string,
  ) {
    this.program = join(extensionPath, 'dist', 'cli.js');
  }

  /** Agents that the settings don't have. */
  get all(): readonly ReplayDefinition[] {
    return [...this.added.values()];
  }

  /**
   * Makes an agent of a run, or of a run's file; the same one each time.
   * @throws HumanError if it can't be replayed
   */
  async add(source: RunView | string, isTaken: (name: string) => boolean): Promise<ReplayDefinition> {
    const { name: recorded, paths } = (await this.recorded(source)).info;
    const [replay = ''] = paths;
    const same = this.all.find((agent) => agent.replay === replay);
    if (same) return same;
    const base = vscode.l10n.t('Replay: {0}', recorded);
    let name = base;
    for (let number = 2; this.added.has(name) || isTaken(name); number++) name = `${base} ${number}`;
    const agent = { name, replay, args: [] };
    this.added.set(name, agent);
    return agent;
  }

  /**
   * What to start for an agent.
   * @throws HumanError if it replays nothing that can be replayed
   */
  async agentOf(agent: ReplayDefinition, context: LaunchContext): Promise<ProcessDefinition> {
    const { info } = await this.recorded(await this.sourceOf(agent, context));
    const { replay, args, ...rest } = agent;
    if (!isProtocol(info.protocol)) throw new HumanError(noMessages(info.name));
    return {
      ...rest,
      protocol: info.protocol,
      // As for the sample agent.
      command: process.execPath,
      args: [this.program, 'replay', info.paths[0] ?? replay, ...args],
      env: { ELECTRON_RUN_AS_NODE: '1' },
      isExpanded: true,
    };
  }

  private async sourceOf(agent: ReplayDefinition, context: LaunchContext): Promise<RunView | string> {
    // A command has taken its path from a run.
    if (this.added.get(agent.name) === agent) return agent.replay;
    const { text, path } = replayTarget(agent, context);
    const run = this.views.find(text);
    if (run) return run;
    const found = (await this.fileRuns.journals()).find(({ set }) => isNamed(set, text));
    return found?.set.paths[0] ?? path;
  }

  private async recorded(source: RunView | string): Promise<FileRun> {
    const run = typeof source === 'string' ? await this.fileAt(source) : await this.fileOf(source);
    const problem = replayProblem({ ...run.info, isBeingWritten: isBeingWritten(run) });
    if (problem) throw new HumanError(problem);
    return run;
  }

  private async fileAt(path: string): Promise<FileRun> {
    const own = this.views.writerOf(path);
    return own ? this.fileOf(own) : this.read(path, verbatim(path));
  }

  private async fileOf(run: RunView): Promise<FileRun> {
    if (isLive(run)) throw new HumanError(t('{0} is still running. Stop it before you replay it.', run.name));
    // The members of a saved session are no journal.
    if (isFileRun(run) && run.info.saved) return run;
    await run.journal?.flush();
    const path = run.journal?.path;
    if (path === undefined) {
      throw new HumanError(
        t('{0} has no journal to replay. Turn on `agentLogs.journal.enabled`, then record it again.', run.name),
      );
    }
    return this.read(path, t('The journal of {0}', run.name));
  }

  /** @param what is read, for messages */
  private read(path: string, what: Words): Promise<FileRun> {
    return this.fileRuns.at(path, 'opened').catch((error: unknown) => {
      throw new HumanError(
        codeOf(error) === 'ENOENT'
          ? t("{0} doesn't exist, so it can't be replayed. Choose another run or file, or record it again.", what)
          : t("{0} can't be read: {1}", what, displayOf(error)),
      );
    });
  }
}
