import { BoundedMap } from '../text/boundedMap';
import type { Span, SpanQuery } from './span';
import { numberOf } from './span';

/** Limits for turns with their parts, and for all else: the requests of a busy server, or its spans, must not evict turns. */
export const maxSpans = 10_000;
const maxOthers = 5000;

/** The spans of a run, in order of their start. */
export class SpanTable {
  private readonly works = new BoundedMap<string, Span>(maxSpans);
  private readonly others = new BoundedMap<string, Span>(maxOthers);
  /** Number of evicted spans, not counting requests. */
  dropped = 0;

  add(span: Span): void {
    const evicted = isOther(span) ? this.others.set(span.id, span) : this.works.set(span.id, span);
    if (evicted && evicted.kind !== 'request') this.dropped++;
  }

  get(id: string): Span | undefined {
    return this.works.get(id) ?? this.others.get(id);
  }

  delete(id: string): void {
    this.works.delete(id);
  }

  /** The descendants of a turn. */
  partsOf({ id }: Span): readonly Span[] {
    const within = new Set([id]);
    const parts: Span[] = [];
    // Parents start before their parts.
    for (const span of this.works.values()) {
      if (span.parent === undefined || !within.has(span.parent)) continue;
      within.add(span.id);
      parts.push(span);
    }
    return parts;
  }

  query({ sessionId, kinds, since, limit }: SpanQuery): readonly Span[] {
    const works = this.works.values();
    const others = this.others.values().filter(({ kind }) => kinds === undefined || kinds.includes(kind));
    const all = others.length > 0 ? [...works, ...others].sort((a, b) => numberOf(a) - numberOf(b)) : works;
    const found = all.filter(
      (span) =>
        (sessionId === undefined || span.sessionId === sessionId) &&
        (kinds === undefined || kinds.includes(span.kind)) &&
        (since === undefined || (span.endedAt ?? Infinity) >= since),
    );
    return limit === undefined ? found : found.slice(Math.max(0, found.length - Math.max(0, limit)));
  }

  /** Removes spans that have ended. */
  clear(): void {
    for (const spans of [this.works, this.others]) {
      for (const span of spans.values()) if (span.endedAt !== undefined) spans.delete(span.id);
    }
  }
}

function isOther({ kind }: Span): boolean {
  return kind === 'request' || kind === 'span';
}
