import { translate } from '../../kit/translate';
import { t, verbatim } from '../../../text/translator';
import * as vscode from 'vscode';
import { sessionLabel } from '../../../text/sessionLabel';
import type { JsonObject } from '../../../text/json';
import { isObject } from '../../../text/json';
import type { Redactor } from '../../../redact/redactor';
import type { Action } from '../../../runs/actions';
import { actionsOf, takesRequests } from '../../../runs/actions';
import type { DefinitionProblem } from '../../../live/config/agentDefinition';
import type { AgentDefinition } from '../../../live/config/launchSpec';
import { wordsOf } from '../../../live/config/launchSpec';
import { HumanError } from '../../../text/humanError';
import type { LogGroup } from '../../../runLog/logGroup';
import type { Run } from '../../../live/run';
import type { RunView } from '../../../runLog/runView';
import { redactWords } from '../../../runLog/reading/redactEvent';
import type { Runs, RunViews } from '../../../runs/runs';
import type { Launcher } from '../../services/agents/launcher';
import { CommandTarget } from '../../kit/commandTarget';
import type { Configuration } from '../../services/configuration';
import { prefix } from '../../manifest/names';
import { labelText } from '../../kit/notify';
import { pick } from '../../kit/pick';
import { executeCommand, openAgentCommand } from '../../services/settings/openSettingCommand';
import { relativeTime } from '../tree/format';
import { describeRun } from '../tree/runText';

/** A session of a run. */
export interface SessionTarget {
  readonly run: Run;
  readonly sessionId: string;
}

interface AgentPick {
  readonly describe?: (agent: AgentDefinition) => string;
  /** The name of the agent to list first. */
  readonly first?: string | undefined;
  /** Whether to take the only one without asking, because what the command does can be undone. */
  readonly takesOnly?: boolean;
}

/** Finds what a command is about: a row of the tree, the argument of a caller, or what the user picks. */
export class Targets {
  constructor(
    private readonly services: {
      readonly runs: Runs;
      readonly views: RunViews;
      readonly launcher: Launcher;
      readonly configuration: Pick<Configuration, 'ownRedaction'>;
    },
  ) {}

  /** The live or past run that the argument names; `undefined` if it names none. */
  viewOf(arg: unknown): RunView | undefined {
    if (arg instanceof CommandTarget) return arg.runAmong(this.services.runs);
    const id = isObject(arg) ? arg['runId'] : arg;
    if (id === undefined || typeof arg === 'function' || (typeof arg === 'object' && !isObject(arg))) return undefined;
    if (typeof id !== 'string') throw new HumanError(t('Expected a run ID (string).'));
    const run = this.services.views.find(id);
    if (!run) throw new HumanError(t('Unknown run: {0}', id));
    return run;
  }

  /** The run of this window that the argument names; `undefined` if it names none. */
  runOf(arg: unknown): Run | undefined {
    const view = this.viewOf(arg);
    if (!view) return undefined;
    const run = this.services.runs.find(view.id);
    if (!run) throw new HumanError(t('Past runs are read-only.'));
    return run;
  }

  /** A live or past run: that of the argument, the only one that fits, or the one the user picks. */
  async view(
    arg: unknown,
    title: string,
    action: Action,
    none = vscode.l10n.t('No agent has run yet. Start one first.'),
  ): Promise<RunView | undefined> {
    this.refuseIdle(arg);
    return this.viewOf(arg) ?? this.choose(able(this.services.views.all, action), title, none);
  }

  /** A run of this window: that of the argument, the only one that fits, or the one the user picks. */
  async run(
    arg: unknown,
    title: string,
    action: Action,
    none = vscode.l10n.t('No agent is running. Start one first.'),
  ): Promise<Run | undefined> {
    this.refuseIdle(arg);
    return this.runOf(arg) ?? this.choose(able(this.services.runs.all, action), title, none);
  }

  private refuseIdle(arg: unknown): void {
    const name = arg instanceof CommandTarget ? arg.agentName : undefined;
    if (name === undefined || this.services.runs.latestOf(name)) return;
    throw new HumanError(t("{0} hasn't run yet. Start it first.", name));
  }

  private choose<T extends RunView>(fitting: readonly T[], title: string, none: string): Promise<T | undefined> {
    return fitting.length === 1 ? Promise.resolve(fitting[0]) : this.ask(fitting, title, none);
  }

  /** Asks even if only one run fits, for what can't be undone. */
  ask<T extends RunView>(fitting: readonly T[], title: string, none: string): Promise<T | undefined> {
    if (fitting.length === 0) throw new HumanError(verbatim(none));
    const choices = fitting.map((run) => ({
      label: labelText(run.name),
      description: labelText(describeRun(run, Date.now()), 200),
      value: run,
    }));
    return pick(choices, { title });
  }

  /** The session that the argument names; `undefined` if it names none. */
  sessionOf(arg: unknown): SessionTarget | undefined {
    const run = this.runOf(arg);
    const sessionId = sessionIdOf(arg);
    if (sessionId === undefined) return undefined;
    return run ? { run, sessionId } : this.sessionNamed(sessionId);
  }

  /** Finds the run of a session that was named without one. */
  private sessionNamed(sessionId: string): SessionTarget {
    const [only, ...others] = this.services.runs.all.filter(takesRequests).filter(({ log }) => log.find(sessionId));
    if (only && others.length === 0) return { run: only, sessionId };
    throw new HumanError(t('Unknown session: {0}', sessionId));
  }

  /**
   * The session of the argument, the only open one, or the one the user picks.
   * @param fits which sessions to offer, unless it is none
   */
  async session(
    arg: unknown,
    title: string,
    fits: (run: Run, session: LogGroup) => boolean,
  ): Promise<SessionTarget | undefined> {
    const named = this.sessionOf(arg);
    if (named) return named;
    const run = this.runOf(arg);
    const open = (run ? [run] : this.services.runs.all)
      .filter(takesRequests)
      .flatMap((one) => one.log.sessions.filter(({ ended }) => !ended).map((session) => ({ run: one, session })));
    if (open.length === 0) {
      const canOpen = able(this.services.runs.all, 'newSession').length > 0;
      throw new HumanError(
        canOpen
          ? t('No session is open. Run **New Session** first.')
          : t('No running agent has sessions. Start one first.'),
      );
    }
    const fitting = open.filter(({ run: one, session }) => fits(one, session));
    const choices = (fitting.length > 0 ? fitting : open).map(({ run: one, session }) => ({
      label: labelText(sessionLabel(session.id, session.title)),
      description: `${labelText(one.name)} · ${relativeTime(Date.now() - session.lastAt)}`,
      value: { run: one, sessionId: session.id },
    }));
    return choices.length === 1 ? choices[0]?.value : pick(choices, { title });
  }

  /** The id of a live or past session: that of the argument, the only one, or the one the user picks. */
  async sessionId(arg: unknown, title: string): Promise<string | undefined> {
    const named = sessionIdOf(arg);
    if (named !== undefined) return named;
    const run = this.viewOf(arg);
    const choices = (run ? [run] : this.services.views.all).flatMap((one) =>
      one.log.sessions.map(({ id, title: name, lastAt }) => ({
        label: labelText(sessionLabel(id, name)),
        description: `${labelText(one.name)} · ${relativeTime(Date.now() - lastAt)}`,
        value: id,
      })),
    );
    if (choices.length === 0) throw new HumanError(t('No sessions yet.'));
    return choices.length === 1 ? choices[0]?.value : pick(choices, { title });
  }

  /** The agent of the argument, or the one the user picks among those that can be started. */
  async agent(
    arg: unknown,
    title: string,
    { describe, first, takesOnly = false }: AgentPick = {},
  ): Promise<AgentDefinition | undefined> {
    const name = typeof arg === 'string' ? arg : this.agentNameOf(arg);
    const { runs, launcher, configuration } = this.services;
    const { known, problems } = launcher;
    if (name !== undefined) return known.find((agent) => agent.name === name) ?? runs.latestOf(name)?.definition;
    if (takesOnly && known.length === 1 && problems.length === 0) return known[0];
    const { redactorFor } = await import('../../../redact/redactorFor');
    const redactor = redactorFor(configuration.ownRedaction);
    const isFirst = (agent: AgentDefinition): number => Number(agent.name === first);
    const agents = [...known]
      .sort((a, b) => isFirst(b) - isFirst(a))
      .map((agent) => ({
        label: labelText(agent.name),
        description: describe ? describe(agent) : describeCommand(agent, redactor),
        value: agent,
      }));
    const mistakes = problems.map((problem) => ({
      label: `$(warning) ${labelText(problem.agent ?? `${prefix}.agents`)}`,
      description: labelText(translate(problem.reason), 200),
      value: problem,
    }));
    const picked = await pick<AgentDefinition | DefinitionProblem>([...agents, ...mistakes], { title });
    if (picked === undefined || !('reason' in picked)) return picked;
    await executeCommand(openAgentCommand(picked.agent));
    return undefined;
  }

  private agentNameOf(arg: unknown): string | undefined {
    return (arg instanceof CommandTarget ? arg.agentName : undefined) ?? this.viewOf(arg)?.name;
  }
}

/** Those of the runs with which this can be done. */
export function able<T extends RunView>(runs: readonly T[], action: Action): readonly T[] {
  return runs.filter((run) => actionsOf(run).has(action));
}

function sessionIdOf(arg: unknown): string | undefined {
  if (arg instanceof CommandTarget) return arg.sessionId;
  const id = optionsOf(arg)['sessionId'];
  if (id === undefined || (typeof id === 'string' && id !== '')) return id;
  throw new HumanError(t('Expected a session ID (string).'));
}

/** What a caller passes with a command, by name; empty for a row. */
export function optionsOf(arg: unknown): JsonObject {
  return isObject(arg) && !(arg instanceof CommandTarget) ? arg : {};
}

function describeCommand(agent: AgentDefinition, redactor: Redactor): string {
  return redactWords(wordsOf(agent), redactor).join(' ').slice(0, 120);
}

interface Types {
  readonly string: string;
  readonly number: number;
}

/** A field of an argument that another extension wrote. */
export function optional<T extends keyof Types>(given: JsonObject, name: string, type: T): Types[T] | undefined {
  const value = given[name];
  if (value === undefined) return undefined;
  if (typeof value === type) return value as Types[T];
  throw new HumanError(t('`{0}` must be a {1}.', name, type));
}
