import * as vscode from 'vscode';
import { sessionLabel } from '../../log/sessionLabel';
import { isObject, textOf } from '../../protocols/json';
import type { AgentDefinition } from '../../runs/launchSpec';
import { HumanError } from '../../runs/humanError';
import type { Run } from '../../runs/run';
import type { Runs } from '../../runs/runs';
import type { Launcher } from '../agents/launcher';
import { prefix } from '../ids';
import { labelText } from '../notify';
import { pick } from '../pick';
import { isTreeNode } from '../tree/treeNode';

/** A session of a run. */
export interface SessionTarget {
  readonly run: Run;
  readonly sessionId: string;
}

/** Finds what a command is about: a row of the tree, the argument of a caller, or what the person picks. */
export class Targets {
  constructor(
    private readonly runs: Runs,
    private readonly launcher: Launcher,
  ) {}

  /** The run that the argument names; `undefined` where it names none. */
  runOf(arg: unknown): Run | undefined {
    if (isTreeNode(arg)) {
      if (arg.type === 'agent') return this.runs.latestOf(arg.name);
      return arg.type === 'older' ? arg.group.run : arg.run;
    }
    const id = typeof arg === 'string' ? arg : isObject(arg) ? textOf(arg['runId']) : undefined;
    if (id === undefined) return undefined;
    const run = this.runs.find(id);
    if (!run) throw new HumanError(vscode.l10n.t('There is no run "{0}".', id));
    return run;
  }

  /** The run of the argument, the only one that fits, or the one that the person picks. */
  async run(
    arg: unknown,
    fits: (run: Run) => boolean,
    title: string,
    none = vscode.l10n.t('No agent is running. Start one first.'),
  ): Promise<Run | undefined> {
    const named = this.runOf(arg);
    if (named) return named;
    if (isTreeNode(arg) && arg.type === 'agent') {
      throw new HumanError(vscode.l10n.t('{0} has not run yet. Start it first.', arg.name));
    }
    const fitting = this.runs.all.filter(fits);
    if (fitting.length === 0) throw new HumanError(none);
    if (fitting.length === 1) return fitting[0];
    const choices = fitting.map((run) => ({
      label: labelText(run.name),
      description: `${run.state.type} · ${new Date(run.startedAt).toLocaleTimeString()}`,
      value: run,
    }));
    return pick(choices, { title });
  }

  /** The session that the argument names; `undefined` where it names none. */
  sessionOf(arg: unknown): SessionTarget | undefined {
    const run = this.runOf(arg);
    if (!run) return undefined;
    const sessionId = sessionIdOf(arg);
    return sessionId === undefined ? undefined : { run, sessionId };
  }

  /** The session of the argument, the only open one, or the one that the person picks. */
  async session(arg: unknown, title: string): Promise<SessionTarget | undefined> {
    const named = this.sessionOf(arg);
    if (named) return named;
    const run = this.runOf(arg);
    const open = (run ? [run] : this.runs.all)
      .filter(isRunning)
      .flatMap((one) => one.log.sessions.filter(({ ended }) => !ended).map((session) => ({ run: one, session })));
    if (open.length === 0) {
      throw new HumanError(vscode.l10n.t('No session is open. Open one first (Agent Logs: New Session).'));
    }
    const choices = open.map(({ run: one, session }) => ({
      label: labelText(sessionLabel(session.id, session.title)),
      description: one.name,
      value: { run: one, sessionId: session.id },
    }));
    return choices.length === 1 ? choices[0]?.value : pick(choices, { title });
  }

  /** The agent of the argument, or the one that the person picks among those that can be started. */
  async agent(arg: unknown, title: string): Promise<AgentDefinition | undefined> {
    const name =
      typeof arg === 'string' ? arg : isTreeNode(arg) && arg.type === 'agent' ? arg.name : this.runOf(arg)?.name;
    const { known, problems } = this.launcher;
    if (name !== undefined) return known.find((agent) => agent.name === name) ?? this.runs.latestOf(name)?.definition;
    const agents = known.map((agent) => ({
      label: labelText(agent.name),
      description: describeCommand(agent),
      value: agent,
    }));
    const mistakes = problems.map((problem) => ({
      label: '$(warning)',
      description: labelText(problem, 200),
      value: 'settings' as const,
    }));
    const picked = await pick<AgentDefinition | 'settings'>([...agents, ...mistakes], { title });
    if (picked !== 'settings') return picked;
    await vscode.commands.executeCommand('workbench.action.openSettings', `${prefix}.agents`);
    return undefined;
  }
}

export function isRunning(run: Run): boolean {
  return run.state.type === 'running';
}

export function isLive(run: Run): boolean {
  return run.state.type !== 'ended';
}

function sessionIdOf(arg: unknown): string | undefined {
  if (!isTreeNode(arg)) return isObject(arg) ? textOf(arg['sessionId']) : undefined;
  switch (arg.type) {
    case 'group':
      return arg.sessionId;
    case 'record':
      return arg.record.sessionId;
    case 'request':
      return arg.request.sessionId;
    default:
      return undefined;
  }
}

function describeCommand({ command, args }: AgentDefinition): string {
  return [command, ...args].join(' ').slice(0, 120);
}
