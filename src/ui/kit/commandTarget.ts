import type { LogRecord } from '../../text/record';
import type { OpenRequest } from '../../work/requests';
import type { Runs } from '../../runs/runs';
import type { RunView } from '../../runLog/runView';

/**
 * What a click acts on: the subject of a row of the tree, or of a notification's button. A command that is called with one shows its errors
 * to the user; with any other argument, it throws them to its caller.
 */
export class CommandTarget {
  /** Only of an agent as such, not of its runs. */
  declare readonly agentName?: string;
  declare readonly run?: RunView;
  declare readonly sessionId?: string | undefined;
  declare readonly request?: OpenRequest;
  declare readonly record?: LogRecord | undefined;
  /** Whether the focus stays where it is, as for a click in the tree. */
  declare readonly keepsFocus?: boolean;
  /** ID of the turn's span, or of one in it. */
  declare readonly turn?: string;
  /** One of the files that it changed. */
  declare readonly file?: string | undefined;
  /** The row that has the focus, or was clicked. */
  declare readonly row?: object;

  /** Its run; for an agent, the latest one. */
  runAmong(runs: Runs): RunView | undefined {
    return this.run ?? (this.agentName === undefined ? undefined : runs.latestOf(this.agentName));
  }
}

/** VS Code passes rows to commands, which act on their targets. Any other argument stays as it is. */
export function targetOf(arg: unknown): unknown {
  const { target } = (arg ?? {}) as { readonly target?: unknown };
  return target instanceof CommandTarget ? target : arg;
}

export function agentTarget(agentName: string): CommandTarget {
  return Object.assign(new CommandTarget(), { agentName });
}

export function runTarget(run: RunView): CommandTarget {
  return Object.assign(new CommandTarget(), { run });
}

/** What a click on a row opens. */
export function clickTarget(run: RunView, sessionId?: string, request?: OpenRequest): CommandTarget {
  return Object.assign(new CommandTarget(), {
    run,
    keepsFocus: true,
    ...(sessionId !== undefined && { sessionId }),
    ...(request && { request }),
  });
}

/** What a notification is about. */
export function noticeTarget(run: RunView, about: Pick<CommandTarget, 'record' | 'sessionId'>): CommandTarget {
  return Object.assign(new CommandTarget(), { run, ...about });
}

export function turnTarget(run: RunView, turn: string, file?: string): CommandTarget {
  return Object.assign(new CommandTarget(), { run, turn, file });
}
