/** What replaces a secret. It has no quotes, backslashes or control characters, so it fits into a JSON string without escapes. */
export const marker = '[redacted]';

/** The marker after the public part of a secret. */
export const maskedRest = `…${marker}`;

/** A piece of a text that is a secret, and what replaces it. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The text that replaces a secret.
 * @param prefix the public part: `sk-ant-`, `Bearer `
 */
export function masked(prefix: string): string {
  return prefix === '' ? marker : prefix + maskedRest;
}

const done = /(?:[\w.+:/-]{1,40} *)?…?\[redacted\]/y;

/** The end of the replacement at this place, or -1 if there is none: redacting twice changes nothing. */
export function maskedEnd(text: string, at: number): number {
  done.lastIndex = at;
  return done.test(text) ? done.lastIndex : -1;
}

/** A span, if there is one, as a list. */
export function present(span: Span | undefined): readonly Span[] {
  return span === undefined ? [] : [span];
}

/** The text with its spans replaced. */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  let replaced = '';
  let from = 0;
  for (const { start, end, text: replacement } of mergedSpans(spans)) {
    replaced += text.slice(from, start) + replacement;
    from = end;
  }
  return from === 0 ? text : replaced + text.slice(from);
}

/** In order, and without overlaps: spans that overlap become one, which keeps the text of the one that begins first. */
export function mergedSpans(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (span.end <= span.start) continue;
    if (last === undefined || span.start >= last.end) result.push(span);
    else if (span.end > last.end) result[result.length - 1] = { ...last, end: span.end };
  }
  return result;
}
