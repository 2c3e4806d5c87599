import type { LogLevel } from 'vscode';
import { EventEmitter, LogLevel as Channel, window } from 'vscode';
import type { Threshold } from '../../../text/level';
import type { AgentLevelResult } from '../../../live/connection/agentClient';
import type { AgentDefinition } from '../../../live/config/launchSpec';
import type { Runs } from '../../../runs/runs';
import type { Configuration } from '../configuration';
import { DisposableOwner } from '../../kit/disposables';
import type { OutputChannels } from '../output/outputChannels';
import { channelLevelOf, isOpen, setLevelIfOpen, thresholdOf, writes } from './channelLevels';
import type { LevelMemory } from './levelMemory';

/** What a change of level did. */
export interface LevelResult {
  /** The views show that level. */
  readonly shown: boolean;
  readonly agent: AgentLevelResult;
  /** VS Code's own level of the output channel lets that level through. */
  readonly channel: boolean;
  /** It will once the person opens the channel. */
  readonly channelWhenShown?: true;
}

type ChannelResult = Pick<LevelResult, 'channel' | 'channelWhenShown'>;

/** A level chosen outside of our own command. */
export interface LevelChange {
  readonly agent: AgentDefinition;
  readonly level: Threshold;
  readonly result: LevelResult;
}

/** An agent's level: what the views show, what the agent is asked for, and the level of its output channel. */
export class LevelControl extends DisposableOwner {
  /** Agents whose channel gets their level when the person opens it: VS Code can't change it before. */
  private readonly due = new Set<string>();
  /** One change of a channel at a time, so that our changes and those of the gear can be distinguished. */
  private changing: Promise<unknown> = Promise.resolve();
  private ownChange: LogLevel | undefined;
  private showsWire: boolean;
  private readonly gearEmitter = this.own(new EventEmitter<LevelChange>());
  /** The person chose a level with the gear in the Output view. */
  readonly onDidTakeFromGear = this.gearEmitter.event;

  /** @param channels creates the channel of a run that starts, before this class sees the run */
  constructor(
    private readonly runs: Runs,
    private readonly channels: OutputChannels,
    private readonly memory: LevelMemory,
    private readonly configuration: Configuration,
  ) {
    super();
    this.showsWire = configuration.showsWire;
    this.own(channels.onDidChangeLevel(({ agent, level }) => void this.takeFromGear(agent, level)));
    this.own(configuration.onDidChange(() => void this.followWireSetting()));
    this.own(window.onDidChangeVisibleTextEditors(() => void this.raiseOpened()));
    this.own(runs.onDidAdd(({ name }) => void this.followStart(name)));
  }

  levelOf(agent: AgentDefinition): Threshold {
    return this.memory.levelOf(agent);
  }

  /** Sets the level of an agent: the views, its runs and, if it's open, the output channel. */
  async set(agent: AgentDefinition, level: Threshold): Promise<LevelResult> {
    await this.memory.choose(this.asConfigured(agent), level);
    const [answer, channel] = await Promise.all([this.askAgent(agent, level), this.setChannel(agent.name, level)]);
    return { shown: true, agent: answer, ...channel };
  }

  private async setChannel(name: string, level: Threshold): Promise<ChannelResult> {
    const channel = this.channels.find(name)?.channel;
    if (!channel) return { channel: false };
    await this.changeIfOpen(name, level);
    if (this.passes(channel.logLevel, level)) return { channel: true };
    return this.due.has(name) ? { channel: false, channelWhenShown: true } : { channel: false };
  }

  /** A channel that doesn't start at Info has a default that the person chose in VS Code; it is left alone. */
  private async followStart(name: string): Promise<void> {
    if (this.channels.find(name)?.channel.logLevel === Channel.Info) this.due.add(name);
    await this.raiseOpened();
  }

  /**
   * Gives the channel that was opened its agent's level, if its own would hold records back. It's never lowered here: the views'
   * level hides the rest, and a channel that is closed can't be raised again.
   */
  private async raiseOpened(): Promise<void> {
    if (this.due.size === 0) return;
    const name = this.channels.shownAgent;
    if (name === undefined || !this.due.delete(name)) return;
    const run = this.runs.latestOf(name);
    const channel = this.channels.find(name)?.channel;
    if (run && channel && !this.passes(channel.logLevel, run.level)) await this.changeIfOpen(name, run.level);
  }

  /** Wire lines are written as trace, which channels don't let through by default. */
  private async followWireSetting(): Promise<void> {
    if (this.configuration.showsWire === this.showsWire) return;
    this.showsWire = this.configuration.showsWire;
    for (const { name } of this.runs.all) this.due.add(name);
    const name = this.channels.shownAgent;
    const run = name === undefined ? undefined : this.runs.latestOf(name);
    if (run) await this.changeIfOpen(run.name, run.level);
  }

  /**
   * Changes the channel's level now if it's open, and otherwise when it's opened.
   * @param level applies if the agent has no run now; otherwise its run has the newest level
   */
  private async changeIfOpen(name: string, level: Threshold): Promise<void> {
    const change = async (): Promise<void> => {
      const channel = this.channels.find(name)?.channel;
      if (!channel) return;
      const wanted = this.channelLevel(this.runs.latestOf(name)?.level ?? level);
      this.ownChange = wanted;
      await setLevelIfOpen(channel, wanted);
      this.ownChange = undefined;
      if (isOpen(channel)) this.due.delete(name);
      else this.due.add(name);
    };
    const changed = this.changing.then(change);
    this.changing = changed.catch(() => undefined);
    await changed;
  }

  /** The settings may have changed since the agent was started. */
  private asConfigured(agent: AgentDefinition): AgentDefinition {
    return this.configuration.agents.agents.find(({ name }) => name === agent.name) ?? agent;
  }

  private async askAgent(agent: AgentDefinition, level: Threshold): Promise<AgentLevelResult> {
    const runs = this.runs.all.filter((run) => run.name === agent.name);
    const results = await Promise.all(runs.map(async (run) => ({ run, result: await run.setLevel(level) })));
    return results.find(({ run }) => run.state.type === 'running')?.result ?? 'unsupported';
  }

  private async takeFromGear(name: string, level: LogLevel): Promise<void> {
    const run = this.runs.latestOf(name);
    // Several of our levels share one of VS Code's: notice stays notice when Info is chosen.
    if (!run || this.channelLevel(run.level) === level || channelLevelOf[run.level] === level) return;
    // Made by us. The agent may have got another level since, or the view another channel.
    if (this.ownChange === level) return;
    const threshold = thresholdOf[level];
    if (threshold === run.level) return;
    await this.memory.choose(this.asConfigured(run.definition), threshold);
    const result = await this.askAgent(run.definition, threshold);
    this.gearEmitter.fire({
      agent: run.definition,
      level: threshold,
      result: { shown: true, agent: result, channel: true },
    });
  }

  private passes(channel: LogLevel, level: Threshold): boolean {
    const wanted = this.channelLevel(level);
    return wanted === Channel.Off || writes(channel, wanted);
  }

  private channelLevel(level: Threshold): LogLevel {
    return this.configuration.showsWire && level !== 'off' ? Channel.Trace : channelLevelOf[level];
  }
}
