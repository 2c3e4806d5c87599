import type { ChangedFile } from '../work/changes/fileChange';
import type { Usage } from '../work/activity';
import { traceParentIn } from '../work/tools/callMarks';
import type { Outcome } from '../work/outcome';
import type { Step, StepKind } from '../work/step';

/** A turn, or part of one. Times are in milliseconds since the epoch. */
export interface Span {
  /** Unique in the run. */
  readonly id: string;
  /** ID of the enclosing span. */
  readonly parent?: string;
  readonly sessionId?: string;
  readonly kind: StepKind;
  readonly title: string;
  readonly startedAt: number;
  /** Absent while it is open. */
  readonly endedAt?: number;
  readonly outcome?: Outcome;
  /** Details of the outcome: a stop reason, an exit code, an error. */
  readonly detail?: string;
  /** The first and last of its records. */
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly usage?: Usage;
  /** For tool calls: the tool's name, and the agent's ID of the call. */
  readonly toolName?: string;
  readonly callId?: string;
  /** The model that the turn continued with, if the agent reports it. */
  readonly model?: string;
  /** Trace context of the client's request (W3C Trace Context). */
  readonly traceparent?: string;
  /** The files that a tool call changed. Of a turn: those that the agent had its client write. */
  readonly changes?: readonly ChangedFile[];
  /** How often the agent retried something during the turn. */
  readonly retries?: number;
}

/** The kinds of turns and their parts. Requests belong to the wire. */
export const workKinds: readonly StepKind[] = ['turn', 'tool', 'permission', 'subagent', 'compaction', 'hook', 'span'];

/** When a span ended, or `now` while it is open, in milliseconds since the epoch. */
export function endOf({ startedAt, endedAt }: Span, now: number): number {
  return Math.max(startedAt, endedAt ?? now);
}

export interface SpanQuery {
  readonly sessionId?: string | undefined;
  readonly kinds?: readonly StepKind[] | undefined;
  /** Spans that were open at or after this time. */
  readonly since?: number | undefined;
  /** Maximum number of spans; the newest are kept. */
  readonly limit?: number | undefined;
}

/** Spans are numbered in order of their start. */
export function numberOf({ id }: Span): number {
  return Number(id.slice(id.lastIndexOf('-') + 1));
}

/** The trace context of a step, if it is valid. */
export function traceParentOf({ traceparent }: Step): string | undefined {
  return traceParentIn(traceparent);
}
