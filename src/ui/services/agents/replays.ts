import { wantedCodes } from '../../../query/compiledQuery';
import { RecordPages } from '../../../store/recordPages';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { arrayOf, objectOf, textOf } from '../../../text/json';
import { parsedJson } from '../../../text/jsonText';
import type { Words } from '../../../text/translator';
import { t, displayOf, verbatim } from '../../../text/translator';
import { isProtocol } from '../../../wire/protocol';
import { isBeingWritten } from '../../../runs/actions';
import type { LaunchContext, ProcessDefinition, ReplayDefinition } from '../../../live/config/launchSpec';
import { replayTarget } from '../../../live/config/launchSpec';
import type { FileRun } from '../../../past/files/fileRun';
import type { FileRuns } from '../../../past/files/fileRuns';
import { isFileRun } from '../../../past/files/fileRuns';
import { codeOf, HumanError } from '../../../text/humanError';
import { noMessages, replayProblem } from '../../../past/replay/replayProblem';
import type { RunViews } from '../../../runs/runs';
import type { RunView } from '../../../runLog/runView';
import { isLive } from '../../../runLog/runView';
import { isNamed } from '../../../wire/journal/journalFolder';

/** The kinds that prompts can have. */
const activities = wantedCodes(({ kind }) => kind === 'activity' || kind === 'notice');

/** Recorded runs that are played again as agents, by the extension's own `agent-logs replay`. */
export class Replays {
  /** Those that a command started in this window, by name. */
  private readonly added = new Map<string, ReplayDefinition>();
  /** What was read of them, by path. */
  private readonly prompts = new Map<string, readonly string[]>();
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
   * The prompts in the recording that a command has started as an agent, in order, each once: it answers no others.
   * @param name of the agent
   */
  async promptsOf(name: string): Promise<readonly string[]> {
    const agent = this.added.get(name);
    if (!agent) return [];
    const known = this.prompts.get(agent.replay) ?? (await this.readPrompts(agent.replay).catch(() => [])); // It may be gone.
    this.prompts.set(agent.replay, known);
    return known;
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

  private async readPrompts(path: string): Promise<readonly string[]> {
    const run = await this.recorded(path);
    await run.read();
    const { store } = run.log;
    const texts = new Set<string>();
    for await (const records of new RecordPages(store, { codes: activities }).oldestFirst()) {
      for (const { seq, logger } of records) {
        const text = logger === 'prompt' ? promptIn(store.raw(seq)) : undefined;
        if (text !== undefined) texts.add(text);
      }
    }
    await this.fileRuns.discard(run);
    return [...texts];
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

/** The text of a recorded `session/prompt`; `undefined` if it has more than a text. */
function promptIn(raw: string | undefined): string | undefined {
  const line = raw === undefined ? {} : objectOf(parsedJson(raw));
  const { params } = objectOf(line['msg'] ?? line);
  const [block, ...others] = arrayOf(objectOf(params)['prompt']).map(objectOf);
  return others.length === 0 && block?.['type'] === 'text' ? textOf(block['text']) : undefined;
}
