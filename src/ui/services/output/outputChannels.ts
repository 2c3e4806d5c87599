import * as vscode from 'vscode';
import type { Run } from '../../../live/run';
import type { Runs } from '../../../runs/runs';
import type { Configuration } from '../configuration';
import { DisposableOwner, PerRun } from '../../kit/disposables';
import { isOpen } from '../level/channelLevels';
import { AgentChannel } from './agentChannel';

/**
 * One LogOutputChannel per agent, created when its first run starts and kept for the next. That of a published agent is disposed of with its
 * last run, because other extensions choose its name.
 */
export class OutputChannels extends DisposableOwner {
  private readonly channels = new Map<string, AgentChannel>();
  private readonly gearEmitter = this.own(new vscode.EventEmitter<{ agent: string; level: vscode.LogLevel }>());
  /** A channel's level has changed, usually because the person used the gear in the Output view. */
  readonly onDidChangeLevel = this.gearEmitter.event;

  constructor(
    private readonly runs: Runs,
    private readonly configuration: Configuration,
  ) {
    super();
    this.own(new PerRun(runs, (run) => this.of(run.name).follow(run)));
    this.own(runs.onDidRemove((run) => this.release(run)));
  }

  /** The channel of an agent that has or had a run. */
  find(agent: string): AgentChannel | undefined {
    return this.channels.get(agent);
  }

  /** The agent whose channel is open in the Output view. */
  get shownAgent(): string | undefined {
    return [...this.channels].find(([, { channel }]) => isOpen(channel))?.[0];
  }

  override dispose(): void {
    for (const channel of this.channels.values()) channel.dispose();
    super.dispose();
  }

  private of(agent: Run['name']): AgentChannel {
    const known = this.channels.get(agent);
    if (known) return known;
    const channel = vscode.window.createOutputChannel(agent, { log: true });
    const created = new AgentChannel(channel, this.configuration, (level) => this.gearEmitter.fire({ agent, level }));
    this.channels.set(agent, created);
    return created;
  }

  private release({ name, isPublished }: Run): void {
    if (!isPublished || this.runs.latestOf(name) !== undefined) return;
    this.channels.get(name)?.dispose();
    this.channels.delete(name);
  }
}
