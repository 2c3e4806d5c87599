import type { Event } from '../log/emitter';
import type { Threshold } from '../log/level';
import type { RunState } from './runState';
import type { RunLog } from './runLog';

/** The state of a run that is shown: a past one may not have been read yet. */
export type RunViewState =
  | RunState
  | { readonly type: 'unread' }
  /** It is read to its end, and may grow. `lastAt`: when it last did, in milliseconds since the epoch; `size`: how much of it is read, in bytes. */
  | { readonly type: 'following'; readonly lastAt: number; readonly size: number }
  /** `read` of `size` bytes of its journal are read. */
  | { readonly type: 'reading'; readonly read: number; readonly size: number };

/** The files of a run's journal. */
export interface JournalFiles {
  /** The newest, once there is one. */
  readonly path: string | undefined;
  /** All of them, the oldest first. */
  readonly paths: readonly string[];
  /** Settles when all that was written before is in the files. */
  flush(): Promise<void>;
  /** Deletes them all, for good. */
  delete(): Promise<void>;
}

/** A run as views see it, whether its agent runs in this window or its journal was opened: what can be read, and nothing that acts. */
export interface RunView {
  readonly id: string;
  readonly name: string;
  /** That of `agentLogs.agents`, or `log` for a file that is the log of any program. */
  readonly protocol: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly state: RunViewState;
  readonly onDidChangeState: Event<RunViewState>;
  /** The level that is shown. */
  readonly level: Threshold;
  readonly onDidChangeLevel: Event<Threshold>;
  readonly log: RunLog;
  /** What it was started from, as words: a command line, or a URL. */
  readonly words: readonly string[];
  readonly cwd: string;
  readonly pid?: number | undefined;
  readonly journal: JournalFiles | undefined;
  /** Whether another extension runs the agent: it is shown, and nothing can be asked of it. */
  readonly isPublished?: boolean;
  /** Whether its agent can close sessions. */
  readonly canCloseSessions?: boolean;
}

/** Whether its agent is, or may be, alive. */
export function isLive({ state }: RunView): boolean {
  return state.type === 'starting' || state.type === 'running' || state.type === 'stopping';
}
