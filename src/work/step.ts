import { ownKey } from '../text/ownText';
import type { Usage } from './activity';
import type { FileChange } from './changes/fileChange';
import type { CallText } from './tools/callText';
import type { Outcome } from './outcome';
import type { OpenRequest } from './requests';

export type StepKind = 'turn' | 'tool' | 'permission' | 'request' | 'subagent' | 'compaction' | 'hook' | 'span';

/** How a step ended, with details. */
export interface Ended {
  readonly outcome: Outcome | undefined;
  /** For display: a stop reason, an exit code, an error. */
  readonly detail?: string | undefined;
  /** Of a command. */
  readonly exitCode?: number | undefined;
  /** The signal of a crash. */
  readonly signal?: string | undefined;
  /** The exit code is a result, such as that `grep` found nothing. */
  readonly isAnswer?: boolean;
  /** The error, in the tool's words. */
  readonly error?: string | undefined;
}

/** A piece of an agent's work. Times are in milliseconds since the epoch. Only `Work` changes it. */
export interface Step {
  /** Unique in the run. */
  id: string;
  readonly kind: StepKind;
  /** ID of the enclosing step. */
  parent: string | undefined;
  /** Empty if unknown. */
  readonly sessionId: string;
  title: string;
  startedAt: number;
  endedAt?: number | undefined;
  end?: Ended | undefined;
  usage?: Usage;
  /** For tool calls: the tool's name, and the agent's ID of the call. */
  toolName?: string;
  callId?: string;
  /** For turns: the model that it continued with. */
  model?: string;
  /** For tool calls: stands for its input, see `inputDigest`. */
  input?: string | undefined;
  /** For tool calls: its input and its result, for display. */
  args?: CallText | undefined;
  result?: CallText | undefined;
  /** For tool calls: the files that it changes, unless it fails. For turns: those that no call of theirs changed. */
  changes?: readonly FileChange[] | undefined;
  /** For tool calls: what identifies it elsewhere, see `callMarks`. */
  marks?: readonly string[];
  /** The trace context that it is part of. */
  traceparent?: string | undefined;
  /** Number of retries. */
  retries?: number;
}

/** Receives the changes of steps, in order. */
export interface WorkSink {
  /** The records of the line that the latest changes come from are written; the newest has this number. */
  reach(seq: number): void;
  started(step: Step): void;
  /** Its title changed, or more is known about its end. */
  changed(step: Step): void;
  ended(step: Step): void;
  /** It was given up as dead, and continues. */
  resumed(step: Step): void;
  /** It never was a step. */
  dropped(step: Step): void;
  /** It ended, and can't continue. Follows `ended`, for most steps at once. */
  settled(step: Step): void;
}

/** For work whose steps nobody shows. */
export const noSteps: WorkSink = {
  reach: ignore,
  started: ignore,
  changed: ignore,
  ended: ignore,
  resumed: ignore,
  dropped: ignore,
  settled: ignore,
};

function ignore(): void {
  // Only the state is used.
}

/** A duration by the agent's clock: arrival times mean nothing when a file is read. `undefined` if it was set back. */
export function timeBetween(start: number | undefined, end: number | undefined): number | undefined {
  return start === undefined || end === undefined || end < start ? undefined : end - start;
}

/** Limits of texts in steps, in characters. */
export const maxTitle = 300;
export const maxTurnTitle = 200;
export const maxName = 100;
const maxId = 300;

/** Identifies a step while it is open. */
export function keyOf(kind: Exclude<StepKind, 'request'>, sessionId: string | undefined, id: string): string {
  return `${kind} ${sessionId ?? ''} ${id}`;
}

export function requestKeyOf({ direction, id }: OpenRequest): string {
  return `request ${direction} ${typeof id} ${ownKey(String(id), maxId)}`;
}
