import type { RunProtocol } from '../wire/protocol';
import type { Event } from '../text/emitter';
import type { JsonObject } from '../text/json';
import type { Threshold } from '../text/level';
import type { Redaction } from '../redact/redactorFor';
import type { RunState } from './runState';
import type { RunLog } from './runLog';

/** The state of a shown run; a past one may not have been read yet. */
export type RunViewState =
  | RunState
  | { readonly type: 'unread' }
  /** Read to its end, and may grow. `lastAt`: when it last grew, in milliseconds since the epoch; `size`: how much was read, in bytes. */
  | { readonly type: 'following'; readonly lastAt: number; readonly size: number }
  /** `read` of the journal's `size` bytes were read. */
  | { readonly type: 'reading'; readonly read: number; readonly size: number };

export interface JournalFiles {
  /** The newest file, once there is one. */
  readonly path: string | undefined;
  /** All files, oldest first. */
  readonly paths: readonly string[];
  /** Settles when everything written before is on disk. */
  flush(): Promise<void>;
  /** Deletes all files permanently. */
  delete(): Promise<void>;
}

/** The read-only view of a run, whether its agent runs in this window or its journal was opened. */
export interface RunView {
  /** Whether it is read off an agent's connection, or from a file (`FileRun`). */
  readonly type: 'live' | 'file';
  readonly id: string;
  readonly name: string;
  /** As in `agentLogs.agents`, or `log` for the log of any program. */
  readonly protocol: RunProtocol;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly state: RunViewState;
  readonly onDidChangeState: Event<RunViewState>;
  /** The shown level. */
  readonly level: Threshold;
  readonly onDidChangeLevel: Event<Threshold>;
  readonly log: RunLog;
  /** The command line or URL it was started from, as words. */
  readonly words: readonly string[];
  readonly cwd: string;
  readonly pid?: number | undefined;
  /** Its response to `initialize`, if it gave one in this window. */
  readonly agent?: JsonObject | undefined;
  readonly journal: JournalFiles | undefined;
  /** Secrets to remove from its files, as they were from its records; `undefined` if the files have none, or nothing is redacted. */
  readonly redaction: Redaction | undefined;
  /** True if another extension runs the agent: it is read-only. */
  readonly isPublished?: boolean;
  /** Whether the session is that of a running subagent that can be cancelled on its own. */
  canCancelSubagent?(sessionId: string): boolean;
  /** True if its agent can restore earlier sessions. */
  readonly canResumeSessions?: boolean;
  /** True if its agent can close sessions. */
  readonly canCloseSessions?: boolean;
}

/** True if its agent is, or may be, running. */
export function isLive({ state }: RunView): boolean {
  return state.type === 'starting' || state.type === 'running' || state.type === 'stopping';
}

/** True if records of its journal are still missing. */
export function isBeingRead({ state }: Pick<RunView, 'state'>): boolean {
  return state.type === 'unread' || state.type === 'reading';
}
