import type { JsonObject } from '../../text/json';
import { objectOf } from '../../text/json';
import { ownKey } from '../../text/ownText';

/** Limits on what is read of a `_meta`. */
const maxMarks = 10;
const maxMark = 200;
const minId = 6;

const traceParent = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;
const mark = /^trace ([0-9a-f]{32})-[0-9a-f]{16}$/;

/** A valid trace context (W3C Trace Context), or `undefined`. */
export function traceParentIn(value: unknown): string | undefined {
  return typeof value === 'string' && traceParent.test(value) ? value : undefined;
}

/** A trace context as a mark of a call; its flags don't identify it. */
export function traceMark(traceparent: unknown): string | undefined {
  const [, trace, span] = traceParent.exec(traceParentIn(traceparent) ?? '') ?? [];
  return trace === undefined || span === undefined ? undefined : `trace ${trace}-${span}`;
}

/** The trace context of a request, in `params._meta.traceparent` (ACP, and SEP-414 for MCP). Nothing else of its parameters is kept. */
export function traceparentOf(params: unknown): string | undefined {
  const traceparent = traceParentIn(objectOf(objectOf(params)['_meta'])['traceparent']);
  // A copy, because a part of a text keeps all of it.
  return traceparent && ownKey(traceparent, maxMark);
}

/**
 * What identifies a call in another run: the trace context in its `_meta`, and IDs there, such as the agent's ID of the call (Claude Code:
 * `claudecode/toolUseId`).
 */
export function callMarks(meta: unknown): readonly string[] {
  const { traceparent, ...others }: JsonObject = objectOf(meta);
  const trace = traceMark(traceparent);
  const ids = Object.values(others)
    .slice(0, maxMarks)
    .flatMap((value) => (typeof value === 'string' && value.length >= minId ? [value.slice(0, maxMark)] : []));
  return trace === undefined ? ids : [trace, ...ids];
}

/** The ID of the trace that one of the marks names. */
export function traceIn(marks: readonly string[]): string | undefined {
  return marks.map((one) => mark.exec(one)?.[1]).find((trace) => trace !== undefined);
}
