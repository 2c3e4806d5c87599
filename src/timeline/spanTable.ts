import { BoundedMap } from '../log/boundedMap';
import type { Span, SpanQuery } from './span';
import { numberOf } from './span';

/** Limits for turns with their parts, and for requests: those of a busy server must not evict turns. */
const maxSpans = 10_000;
const maxRequests = 5000;

/** The spans of a run, in order of their start. */
export class SpanTable {
  private readonly works = new BoundedMap<string, Span>(maxSpans);
  private readonly requests = new BoundedMap<string, Span>(maxRequests);
  /** Number of evicted spans, not counting requests. */
  dropped = 0;

  add(span: Span): void {
    if (span.kind === 'request') this.requests.set(span.id, span);
    else if (this.works.set(span.id, span)) this.dropped++;
  }

  get(id: string): Span | undefined {
    return this.works.get(id) ?? this.requests.get(id);
  }

  /** Replaces a span with a copy. */
  replace(span: Span): void {
    this.works.update(span.id, span);
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
    const withRequests = kinds === undefined || kinds.includes('request');
    const works = this.works.values();
    const all = withRequests ? [...works, ...this.requests.values()].sort((a, b) => numberOf(a) - numberOf(b)) : works;
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
    for (const spans of [this.works, this.requests]) {
      for (const span of spans.values()) if (span.endedAt !== undefined) spans.delete(span.id);
    }
  }
}
