import type { LogLevel } from 'vscode';
import { LogLevel as Channel } from 'vscode';
import type { Threshold } from '../../log/level';
import type { AgentLevelResult } from '../../runs/acpClient';
import type { AgentDefinition } from '../../runs/launchSpec';
import type { Run } from '../../runs/run';
import type { Runs } from '../../runs/runs';
import type { Configuration } from '../configuration';
import { Disposables } from '../disposables';
import type { OutputChannels } from '../output/outputChannels';
import { channelLevelOf, thresholdOf } from './channelLevels';
import type { ChannelLevelSwitch } from './channelLevelSwitch';
import type { LevelMemory } from './levelMemory';

/** What a change of level did. */
export interface LevelResult {
  /** The views show that level. */
  readonly shown: boolean;
  readonly agent: AgentLevelResult;
  /** The output channel has the level that goes with it. */
  readonly channel: boolean;
}

/** The level asked of an agent and the level shown, which are one thing to a person. */
export class LevelControl {
  private readonly disposables = new Disposables();

  constructor(
    private readonly runs: Runs,
    private readonly channels: OutputChannels,
    private readonly memory: LevelMemory,
    private readonly channelSwitch: ChannelLevelSwitch,
    private readonly configuration: Configuration,
  ) {
    this.disposables.add(channels.onDidChangeLevel(({ agent, level }) => void this.takeFromGear(agent, level)));
  }

  levelOf(agent: AgentDefinition): Threshold {
    return this.memory.levelOf(agent);
  }

  /** Sets the level of an agent, and of its run: the view's gate, then the agent, then the output channel. */
  async set(agent: AgentDefinition, level: Threshold): Promise<LevelResult> {
    await this.memory.choose(agent, level);
    const result = await this.askAgent(agent, level);
    const channel = this.channels.find(agent.name)?.channel;
    return {
      shown: true,
      agent: result,
      channel: channel ? await this.channelSwitch.apply(channel, this.channelLevel(level)) : false,
    };
  }

  /** Gives a channel that is being shown the level of its agent: unseen, it could not be changed. */
  async alignShown(run: Run): Promise<void> {
    const channel = this.channels.find(run.name)?.channel;
    // Only upwards: a person who has set the channel to show less wants less.
    if (channel?.logLevel === Channel.Info && this.channelLevel(run.level) < Channel.Info && run.level !== 'off') {
      await this.channelSwitch.apply(channel, this.channelLevel(run.level));
    }
  }

  dispose(): void {
    this.disposables.dispose();
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
    const threshold = thresholdOf(level);
    if (threshold === run.level) return;
    await this.memory.choose(run.definition, threshold);
    await this.askAgent(run.definition, threshold);
  }

  /** Wire lines are written as trace. What else is shown, our own gate decides before it comes to the channel. */
  private channelLevel(level: Threshold): LogLevel {
    return this.configuration.showsWire && level !== 'off' ? Channel.Trace : channelLevelOf(level);
  }
}
