import type { Usage } from '../protocols/activity/activity';

export type SpanKind = 'turn' | 'tool' | 'permission' | 'request' | 'subagent' | 'compaction';

/** How something ended. `unanswered`: its end never came. */
export type SpanOutcome = 'ok' | 'error' | 'cancelled' | 'refused' | 'unanswered';

/** Something that lasts: a turn, or a part of one. Times are in milliseconds since the epoch. */
export interface Span {
  /** Unique in the run. */
  readonly id: string;
  /** The span that it is a part of. */
  readonly parent?: string;
  readonly sessionId?: string;
  readonly kind: SpanKind;
  readonly title: string;
  readonly startedAt: number;
  /** Absent while it goes on. */
  readonly endedAt?: number;
  readonly outcome?: SpanOutcome;
  /** More about the outcome: a stop reason, an exit code, an error. */
  readonly detail?: string;
  /** The first and the last of the records that it covers. */
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly usage?: Usage;
  /** Of a tool call: the tool's own name, and the agent's id of the call. */
  readonly toolName?: string;
  readonly callId?: string;
  /** The model that the turn went on with, if the agent names it. */
  readonly model?: string;
  /** The trace that the client's request belongs to (W3C Trace Context). */
  readonly traceparent?: string;
  /** How often the agent tried something again during the turn. */
  readonly retries?: number;
}

export interface SpanQuery {
  readonly sessionId?: string | undefined;
  readonly kinds?: readonly SpanKind[] | undefined;
  /** Going on at or after this time. */
  readonly since?: number | undefined;
  /** At most so many, the newest. */
  readonly limit?: number | undefined;
}

/** How a turn ended as the diagnosis sees it, which an agent's own answer may hide. */
export interface TurnVerdict {
  readonly outcome: 'completed' | 'failed' | 'cancelled' | 'cut-short' | 'stopped' | 'unanswered';
  /** When the turn ended, in milliseconds since the epoch. */
  readonly at: number;
  readonly why?: string;
  readonly cause?: string;
}
