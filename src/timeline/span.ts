import type { Words } from '../log/translator';
import type { Usage } from '../work/activity';
import { ownHead } from '../log/ownText';
import type { JsonObject } from '../log/json';
import { objectOf } from '../log/json';
import type { OpenRequest } from '../work/requests';

export type SpanKind = 'turn' | 'tool' | 'permission' | 'request' | 'subagent' | 'compaction';

/** How a span ended. `unanswered`: its end never came. */
export type SpanOutcome = 'ok' | 'error' | 'cancelled' | 'refused' | 'unanswered';

/** How a span ended, with details. */
export interface SpanEnd {
  readonly outcome: SpanOutcome | undefined;
  readonly detail?: string | undefined;
}

/** A turn, or part of one. Times are in milliseconds since the epoch. */
export interface Span {
  /** Unique in the run. */
  readonly id: string;
  /** ID of the enclosing span. */
  readonly parent?: string;
  readonly sessionId?: string;
  readonly kind: SpanKind;
  readonly title: string;
  readonly startedAt: number;
  /** Absent while it is open. */
  readonly endedAt?: number;
  readonly outcome?: SpanOutcome;
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
  /** How often the agent retried something during the turn. */
  readonly retries?: number;
}

/** The kinds of turns and their parts. Requests belong to the wire. */
export const workKinds: readonly SpanKind[] = ['turn', 'tool', 'permission', 'subagent', 'compaction'];

/** When a span ended, or `now` while it is open, in milliseconds since the epoch. */
export function endOf({ startedAt, endedAt }: Span, now: number): number {
  return Math.max(startedAt, endedAt ?? now);
}

export interface SpanQuery {
  readonly sessionId?: string | undefined;
  readonly kinds?: readonly SpanKind[] | undefined;
  /** Spans that were open at or after this time. */
  readonly since?: number | undefined;
  /** Maximum number of spans; the newest are kept. */
  readonly limit?: number | undefined;
}

/** The diagnosis of how a turn ended, which may contradict the agent's answer. */
export interface TurnVerdict {
  readonly outcome: 'completed' | 'failed' | 'cancelled' | 'cut-short' | 'stopped' | 'unanswered';
  /** When the turn ended, in milliseconds since the epoch. */
  readonly at: number;
  readonly why?: Words;
  readonly cause?: Words;
}

/** Limits of texts in spans, in characters. */
export const maxTitle = 300;
export const maxName = 100;
const maxId = 300;
const traceParent = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Identifies a span while it is open. */
export function keyOf(kind: Exclude<SpanKind, 'request'>, sessionId: string | undefined, id: string): string {
  return `${kind} ${sessionId ?? ''} ${id}`;
}

export function requestKeyOf({ direction, id }: OpenRequest): string {
  return `request ${direction} ${typeof id} ${ownHead(String(id), maxId)}`;
}

/** Spans are numbered in order of their start. */
export function numberOf({ id }: Span): number {
  return Number(id.slice(id.lastIndexOf('-') + 1));
}

/** Takes the trace context in `params._meta.traceparent` (ACP, and SEP-414 for MCP). */
export function joinTrace(span: { traceparent?: string }, params: JsonObject): void {
  const { traceparent } = objectOf(params['_meta']);
  if (typeof traceparent === 'string' && traceParent.test(traceparent)) span.traceparent = traceparent;
}
