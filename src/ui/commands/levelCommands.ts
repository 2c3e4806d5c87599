import { t } from '../../log/translator';
import * as vscode from 'vscode';
import type { Threshold } from '../../log/level';
import { isThreshold, thresholds } from '../../log/level';
import { isObject, textOf } from '../../log/json';
import { HumanError } from '../../runs/humanError';
import type { AgentDefinition } from '../../runs/config/launchSpec';
import type { FileRun } from '../../runs/files/fileRun';
import { isFileRun } from '../../runs/files/fileRuns';
import { isLive } from '../../runs/runView';
import { CommandTarget } from '../commandTarget';
import { commandIds } from '../ids';
import type { LevelResult } from '../level/levelControl';
import { pick } from '../pick';
import { describeState } from '../tree/runText';
import type { CommandContext, CommandTable } from './commandContext';
import { reportLevelChange } from './levelReport';
import { optionsOf } from './targets';

/** The commands that change a level. */
export class LevelCommands {
  readonly table = {
    [commandIds.setLevel]: (arg) => this.setLevel(arg),
    [commandIds.setLevelFromTitle]: () => this.setLevel(undefined),
    [commandIds.setLevelFromOutput]: () => this.setLevelOfShown(),
  } satisfies CommandTable;

  constructor(private readonly services: CommandContext) {}

  private async setLevel(arg: unknown): Promise<LevelResult | undefined> {
    const past = isObject(arg) && agentIn(arg) === undefined ? this.services.targets.viewOf(arg) : undefined;
    if (isFileRun(past)) return this.setShown(past, arg);
    const agent = await this.agentOf(arg);
    if (!agent) return undefined;
    const given = levelOf(arg);
    const level = given ?? (await this.pickLevel(agent.name, this.currentLevelOf(agent)));
    if (level === undefined) return undefined;
    const result = await this.services.levels.set(agent, level);
    if (given === undefined) void reportLevelChange({ agent, level, result }, this.services.runs);
    return result;
  }

  /** A live run keeps its level when the settings change. */
  private currentLevelOf(agent: AgentDefinition): Threshold {
    const run = this.services.runs.latestOf(agent.name);
    return run && isLive(run) ? run.level : this.services.levels.levelOf(agent);
  }

  /** Changes the level of the agent whose channel is open in the Output view. */
  private setLevelOfShown(): Promise<LevelResult | undefined> {
    const agent = this.services.channels.shownAgent;
    return this.setLevel(agent === undefined ? undefined : { agent });
  }

  /** Changes which records of a past run are shown. */
  private async setShown(run: FileRun, arg: unknown): Promise<LevelResult | undefined> {
    const level = levelOf(arg) ?? (await this.pickLevel(run.name, run.level));
    if (level === undefined) return undefined;
    run.setLevel(level);
    return { shown: true, agent: 'unsupported', channel: false };
  }

  /** Returns the agent of the argument, the only one that is running, or the one the user picks. */
  private async agentOf(arg: unknown): Promise<AgentDefinition | undefined> {
    const name = agentIn(arg);
    const isNamed =
      name !== undefined || arg instanceof CommandTarget || this.services.targets.viewOf(arg) !== undefined;
    if (!isNamed) {
      const names = new Set(this.services.runs.all.filter(isLive).map((run) => run.name));
      if (names.size === 1) return this.services.targets.agent([...names][0], '');
    }
    const agent = await this.services.targets.agent(
      name ?? (isNamed ? arg : undefined),
      vscode.l10n.t('Select an agent to set its log level'),
      (one) => this.describe(one),
    );
    if (!agent && isNamed) throw new HumanError(t('Unknown agent.'));
    return agent;
  }

  /** For example `info · running`. */
  private describe(agent: AgentDefinition): string {
    const run = this.services.runs.latestOf(agent.name);
    const state = run && isLive(run) ? [describeState(run, Date.now())] : [];
    return [this.currentLevelOf(agent), ...state].join(' · ');
  }

  private pickLevel(name: string, current: Threshold): Promise<Threshold | undefined> {
    const choices = thresholds.map((level) => ({
      label: `${level === current ? '$(check) ' : ''}${level}`,
      description: level === current ? vscode.l10n.t('current') : '',
      detail: meanings()[level],
      value: level,
    }));
    return pick(choices, {
      title: vscode.l10n.t('Log level of {0}', name),
      placeholder: vscode.l10n.t('Show this level and above'),
      active: current,
    });
  }
}

function agentIn(arg: unknown): string | undefined {
  return textOf(optionsOf(arg)['agent']);
}

function levelOf(arg: unknown): Threshold | undefined {
  const { level } = optionsOf(arg);
  if (level === undefined || isThreshold(level)) return level;
  throw new HumanError(t('The level must be one of {0}.', thresholds.join(', ')));
}

function meanings(): Readonly<Record<Threshold, string>> {
  return {
    debug: vscode.l10n.t('Everything (for agent developers)'),
    info: vscode.l10n.t('What the agent does'),
    notice: vscode.l10n.t('Normal, but worth a look'),
    warning: vscode.l10n.t('Something may go wrong'),
    error: vscode.l10n.t('Something went wrong'),
    critical: vscode.l10n.t('Part of the agent failed'),
    alert: vscode.l10n.t('Action must be taken immediately'),
    emergency: vscode.l10n.t('The agent is unusable'),
    off: vscode.l10n.t('Nothing; the agent is asked not to log'),
  };
}
