import { ownHead } from '../log/ownText';
import type { JsonObject } from '../protocols/json';
import { objectOf } from '../protocols/json';
import type { OpenRequest } from '../protocols/jsonrpc/requests';
import type { Span, SpanKind } from './span';

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
