import { ownHead } from '../log/ownText';
import type { JsonObject } from '../protocols/json';
import { objectOf } from '../protocols/json';
import type { OpenRequest } from '../protocols/jsonrpc/requests';
import type { Span, SpanKind } from './span';

const maxId = 300;
const traceParent = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Names a span while it goes on. */
export function keyOf(kind: Exclude<SpanKind, 'request'>, sessionId: string | undefined, id: string): string {
  return `${kind} ${sessionId ?? ''} ${id}`;
}

export function requestKeyOf({ direction, id }: OpenRequest): string {
  return `request ${direction} ${typeof id} ${ownHead(String(id), maxId)}`;
}

/** Spans are numbered in the order in which they began. */
export function numberOf({ id }: Span): number {
  return Number(id.slice(id.lastIndexOf('-') + 1));
}

/** Reads `params._meta.traceparent`, as ACP and MCP (SEP-414) have it. */
export function traceParentOf(params: JsonObject): string | undefined {
  const { traceparent } = objectOf(params['_meta']);
  return typeof traceparent === 'string' && traceParent.test(traceparent) ? traceparent : undefined;
}
