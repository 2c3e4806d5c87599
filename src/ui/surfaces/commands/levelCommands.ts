import type { Words } from '../../../text/translator';
import { t } from '../../../text/translator';
import { peer } from '../../../protocols/terms';
import * as vscode from 'vscode';
import type { Threshold } from '../../../text/level';
import { isThreshold, thresholds } from '../../../text/level';
import { isObject, textOf } from '../../../text/json';
import { HumanError } from '../../../text/humanError';
import type { AgentDefinition } from '../../../live/config/launchSpec';
import type { FileRun } from '../../../past/files/fileRun';
import { isFileRun } from '../../../past/files/fileRuns';
import { isLive } from '../../../runLog/runView';
import { CommandTarget } from '../../kit/commandTarget';
import { commandIds } from '../../manifest/commands';
import type { LevelResult } from '../../services/level/levelControl';
import { pick } from '../../kit/pick';
import { translateFor } from '../../kit/translateFor';
import { describeState } from '../tree/runText';
import type { CommandContext, CommandTable } from './commandContext';
import { reportLevelChange } from './levelReport';
import { optionsOf } from './targets';

/** The commands that change a level. */
export const levelCommands = {
  [commandIds.setLevel]: setLevel,
  [commandIds.setLevelFromTitle]: (services) => setLevel(services, undefined),
  [commandIds.setLevelFromOutput]: setLevelOfShown,
} satisfies CommandTable;

async function setLevel(services: CommandContext, arg: unknown): Promise<LevelResult | undefined> {
  const past = isObject(arg) && agentIn(arg) === undefined ? services.targets.viewOf(arg) : undefined;
  if (isFileRun(past)) return setShown(past, arg);
  const agent = await agentOf(services, arg);
  if (!agent) return undefined;
  const given = levelOf(arg);
  const level = given ?? (await pickLevel(agent, currentLevelOf(services, agent)));
  if (level === undefined) return undefined;
  const result = await services.levels.set(agent, level);
  if (given === undefined) void reportLevelChange({ agent, level, result }, services.runs);
  return result;
}

/** A live run keeps its level when the settings change. */
function currentLevelOf(services: CommandContext, agent: AgentDefinition): Threshold {
  const run = services.runs.latestOf(agent.name);
  return run && isLive(run) ? run.level : services.levels.levelOf(agent);
}

/** Changes the level of the agent whose channel is open in the Output view. */
function setLevelOfShown(services: CommandContext): Promise<LevelResult | undefined> {
  const agent = services.channels.shownAgent;
  return setLevel(services, agent === undefined ? undefined : { agent });
}

/** Changes which records of a past run are shown. */
async function setShown(run: FileRun, arg: unknown): Promise<LevelResult | undefined> {
  const level = levelOf(arg) ?? (await pickLevel(run, run.level));
  if (level === undefined) return undefined;
  run.setLevel(level);
  return { shown: true, agent: 'unsupported', channel: false };
}

/** Returns the agent of the argument, the only one, the only one that is running, or the one the user picks. */
async function agentOf(services: CommandContext, arg: unknown): Promise<AgentDefinition | undefined> {
  const name = agentIn(arg);
  const isNamed = name !== undefined || arg instanceof CommandTarget || services.targets.viewOf(arg) !== undefined;
  const shown = services.explorer.shownRun?.name;
  if (!isNamed) {
    const names = new Set(services.runs.all.filter(isLive).map((run) => run.name));
    const [only] = names;
    if (names.size === 1 && (shown === undefined || shown === only)) return services.targets.agent(only, '');
  }
  const agent = await services.targets.agent(
    name ?? (isNamed ? arg : undefined),
    vscode.l10n.t('Select an agent to set its log level'),
    { describe: (one) => describe(services, one), first: shown, takesOnly: true },
  );
  if (!agent && isNamed) throw new HumanError(t('Unknown agent.'));
  return agent;
}

/** For example `info · running`. */
function describe(services: CommandContext, agent: AgentDefinition): string {
  const run = services.runs.latestOf(agent.name);
  const state = run && isLive(run) ? [describeState(run, Date.now())] : [];
  return [currentLevelOf(services, agent), ...state].join(' · ');
}

function pickLevel(of: AgentDefinition | FileRun, current: Threshold): Promise<Threshold | undefined> {
  const choices = thresholds.map((level) => ({
    label: `${level === current ? '$(check) ' : ''}${level}`,
    description: level === current ? vscode.l10n.t('current') : '',
    detail: translateFor(of, meanings[level]),
    value: level,
  }));
  return pick(choices, {
    title: vscode.l10n.t('Log level of {0}', of.name),
    placeholder: vscode.l10n.t('Hides lower levels, except in the Log Explorer and exports'),
    active: current,
  });
}

function agentIn(arg: unknown): string | undefined {
  return textOf(optionsOf(arg)['agent']);
}

function levelOf(arg: unknown): Threshold | undefined {
  const { level } = optionsOf(arg);
  if (level === undefined || isThreshold(level)) return level;
  throw new HumanError(t('The level must be one of {0}.', thresholds.join(', ')));
}

const meanings: Readonly<Record<Threshold, Words>> = {
  debug: t('Everything (for {0} developers)', peer),
  info: t('What the {0} does', peer),
  notice: t('Normal, but worth a look'),
  warning: t('Something may go wrong'),
  error: t('Something went wrong'),
  critical: t('Part of the {0} failed', peer),
  alert: t('Action must be taken immediately'),
  emergency: t('The {0} is unusable', peer),
  off: t('Nothing; the {0} is asked not to log', peer),
};
