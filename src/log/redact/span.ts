import { isJsonLike, stringEnd } from './rawText';

/** A piece of a line that is a secret, and what stands in its place. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A span, if there is one, as a list. */
export function present(span: Span | undefined): readonly Span[] {
  return span === undefined ? [] : [span];
}

/** The line with its spans replaced; of two that overlap, the one that begins first. Names of members in JSON are left as they are. */
export function replaceSpans(line: string, spans: readonly Span[]): string {
  const inKey = isJsonLike(line) ? keyTest(line) : (): boolean => false;
  let from = 0;
  let replaced = '';
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (span.start < from || span.end <= span.start || inKey(span.end)) continue;
    replaced += line.slice(from, span.start) + span.text;
    from = span.end;
  }
  return from === 0 ? line : replaced + line.slice(from);
}

/** Whether a place in a line of JSON is in the name of a member. The places asked for must ascend: each string is looked at once. */
function keyTest(line: string): (at: number) => boolean {
  let end = -1;
  let key = false;
  return (at) => {
    if (at > end) {
      end = stringEnd(line, at);
      key = /^"[ \t\r\n]*:/.test(line.slice(end, end + 64));
    }
    return key;
  };
}
