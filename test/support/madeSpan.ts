import type { Span } from '../../src/timeline/span';

/** A span with its ID as the title. Without an end it is open. */
export function madeSpan(
  id: string,
  kind: Span['kind'],
  startedAt: number,
  endedAt?: number,
  more: Partial<Span> = {},
): Span {
  const end = endedAt === undefined ? {} : { endedAt, outcome: 'ok' as const };
  return { id, kind, title: id, startedAt, firstSeq: 1, lastSeq: 2, ...end, ...more };
}
