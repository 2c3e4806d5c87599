import type { LogLevel, LogOutputChannel } from 'vscode';
import { EventEmitter, LogLevel as Channel, window } from 'vscode';
import type { Threshold } from '../../log/level';
import type { AgentLevelResult } from '../../runs/agentClient';
import type { AgentDefinition } from '../../runs/launchSpec';
import type { Run } from '../../runs/run';
import type { Runs } from '../../runs/runs';
import type { Configuration } from '../configuration';
import { Disposables } from '../disposables';
import type { OutputChannels } from '../output/outputChannels';
import { channelLevelOf, thresholdOf, writes } from './channelLevels';
import type { ChannelLevelSwitch } from './channelLevelSwitch';
import { isPanelInUse, isShown } from './channelLevelSwitch';
import type { LevelMemory } from './levelMemory';

/** What a change of level did. */
export interface LevelResult {
  /** The views show that level. */
  readonly shown: boolean;
  readonly agent: AgentLevelResult;
  /** The output channel has the level that goes with it. */
  readonly channel: boolean;
  /** It gets it when it is shown next. */
  readonly channelWhenShown?: true;
}

/** Likewise, of the channel alone. */
type ChannelResult = Pick<LevelResult, 'channel' | 'channelWhenShown'>;

/** A level that was chosen elsewhere than in our own command. */
export interface LevelChange {
  readonly agent: AgentDefinition;
  readonly level: Threshold;
  readonly result: LevelResult;
}

/** The level asked of an agent and the level shown, which are one thing to a person. */
export class LevelControl {
  private readonly disposables = new Disposables();
  /** The newest wish for each agent, by its number. */
  private readonly wishes = new Map<string, number>();
  private switching: Promise<unknown> = Promise.resolve();
  /** The agents whose channel gets its level when it is shown next. */
  private readonly owed = new Set<string>();
  private showsWire: boolean;
  /** The channel that is being switched, and to what. */
  private ours: { readonly name: string; readonly level: LogLevel } | undefined;
  private readonly takenEmitter = this.disposables.add(new EventEmitter<LevelChange>());
  /** A level was chosen with VS Code's own gear, and what that did. */
  readonly onDidTakeFromGear = this.takenEmitter.event;

  constructor(
    private readonly runs: Runs,
    private readonly channels: OutputChannels,
    private readonly memory: LevelMemory,
    private readonly channelSwitch: ChannelLevelSwitch,
    private readonly configuration: Configuration,
  ) {
    this.disposables.add(channels.onDidChangeLevel(({ agent, level }) => void this.takeFromGear(agent, level)));
    this.showsWire = configuration.showsWire;
    this.disposables.add(configuration.onDidChange(() => void this.alignToWire()));
    this.disposables.add(window.onDidChangeVisibleTextEditors(() => void this.alignWhatIsShown()));
  }

  levelOf(agent: AgentDefinition): Threshold {
    return this.memory.levelOf(agent);
  }

  /** The agent whose output is shown. */
  get shownAgent(): string | undefined {
    return this.channels.shownAgent;
  }

  /** Sets the level of an agent, and of its run: the view's gate, then the agent, then the output channel. */
  async set(agent: AgentDefinition, level: Threshold): Promise<LevelResult> {
    const wish = this.wish(agent.name);
    await this.memory.choose(this.asConfigured(agent), level);
    const result = await this.askAgent(agent, level);
    const channel = await this.inTurn(async () => {
      if (this.wishes.get(agent.name) !== wish) return { channel: false }; // a later one counts
      return this.switchChannel(agent.name, level).finally(() => (this.ours = undefined));
    });
    return { shown: true, agent: result, ...channel };
  }

  /** Gives a channel that is being shown the level of its agent: unseen, it could not be changed. */
  async alignShown(run: Pick<Run, 'name' | 'level'>): Promise<void> {
    await this.align(run, () => true);
  }

  /** Likewise, the one that is owed its level, and that a person has brought up, in whatever way. */
  private async alignWhatIsShown(): Promise<void> {
    const name = this.owed.size === 0 ? undefined : this.shownAgent;
    if (name === undefined || !this.owed.has(name)) return;
    const run = this.runs.latestOf(name);
    if (run) await this.align(run, (channel) => this.owed.has(name) && isShown(channel));
  }

  private async align(
    run: Pick<Run, 'name' | 'level'>,
    isWanted: (channel: LogOutputChannel) => boolean,
  ): Promise<void> {
    const channel = this.channels.find(run.name)?.channel;
    if (!channel || !this.isBehind(channel.logLevel, run.level)) return;
    await this.inTurn(async () => {
      // When its turn comes, the level or what is shown may be another one.
      if (!this.isBehind(channel.logLevel, run.level) || !isWanted(channel)) return;
      await this.channelSwitch.applyShown(channel, this.channelLevel(run.level));
      this.owed.delete(run.name); // where it did not work, it would not the next time
    });
  }

  /** Only from where VS Code starts: a person who has set the channel to show less wants less. */
  private isBehind(channel: LogLevel, level: Threshold): boolean {
    const wanted = this.channelLevel(level);
    return channel === Channel.Info && wanted !== Channel.Info && writes(wanted, Channel.Info);
  }

  private wish(name: string): number {
    const wish = (this.wishes.get(name) ?? 0) + 1;
    this.wishes.set(name, wish);
    this.owed.delete(name);
    return wish;
  }

  /** Wire lines come at a level that a channel does not have by itself: the one that is shown gets it as soon as they are wanted. */
  private async alignToWire(): Promise<void> {
    if (this.configuration.showsWire === this.showsWire) return;
    this.showsWire = this.configuration.showsWire;
    const run = this.shownAgent === undefined ? undefined : this.runs.latestOf(this.shownAgent);
    const channel = run && this.channels.find(run.name)?.channel;
    if (!run || !channel) return;
    await this.inTurn(() => this.channelSwitch.applyShown(channel, this.channelLevel(run.level)));
  }

  /** One channel after the other: VS Code's command works on the one that is shown. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.switching.then(work);
    this.switching = done.catch(() => undefined);
    return done;
  }

  /** The settings may have changed since the agent was started. */
  private asConfigured(agent: AgentDefinition): AgentDefinition {
    return this.configuration.agents.agents.find(({ name }) => name === agent.name) ?? agent;
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /**
   * Brings the channel to the level. Only where it would hold something back is it worth showing the Output view for a moment: what is
   * not wanted, our own gate leaves out. At Info it holds nothing back but the wire, since debug is then written as info.
   */
  private async switchChannel(name: string, level: Threshold): Promise<ChannelResult> {
    const channel = this.channels.find(name)?.channel;
    if (!channel) return { channel: false };
    const wanted = this.channelLevel(level);
    this.ours = { name, level: wanted };
    if (isShown(channel)) return { channel: await this.channelSwitch.applyShown(channel, wanted) };
    const holdsBack = wanted !== Channel.Off && !writes(channel.logLevel, wanted);
    if (!holdsBack) return { channel: true };
    if (channel.logLevel === Channel.Info && wanted === Channel.Debug && isPanelInUse()) {
      this.owed.add(name);
      return { channel: false, channelWhenShown: true };
    }
    return { channel: await this.channelSwitch.apply(channel, wanted) };
  }

  private async askAgent(agent: AgentDefinition, level: Threshold): Promise<AgentLevelResult> {
    const live = this.runs.all.filter((run) => run.name === agent.name);
    const results = await Promise.all(live.map(async (run) => ({ run, result: await run.setLevel(level) })));
    return results.find(({ run }) => run.state.type === 'running')?.result ?? 'unsupported';
  }

  private async takeFromGear(name: string, level: LogLevel): Promise<void> {
    const run = this.runs.latestOf(name);
    // Several levels share a channel's: what fits already is not made coarser. Our own changes come back here too.
    if (!run || this.channelLevel(run.level) === level || channelLevelOf(run.level) === level) return;
    if (this.ours?.name === name && this.ours.level === level) return; // though another is wished for by now
    const threshold = thresholdOf(level);
    if (threshold === run.level) return;
    this.wish(name);
    await this.memory.choose(this.asConfigured(run.definition), threshold);
    const result = await this.askAgent(run.definition, threshold);
    this.takenEmitter.fire({
      agent: run.definition,
      level: threshold,
      result: { shown: true, agent: result, channel: true },
    });
  }

  /** Wire lines are written as trace. What else is shown, our own gate decides before it comes to the channel. */
  private channelLevel(level: Threshold): LogLevel {
    return this.configuration.showsWire && level !== 'off' ? Channel.Trace : channelLevelOf(level);
  }
}
