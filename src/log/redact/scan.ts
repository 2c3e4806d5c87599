import { bearer } from './headers';
import { keyedSecrets } from './keyed';
import { masked } from './marker';
import { privateKey } from './pem';
import { isJsonLike } from './rawText';
import { shapeAround } from './shapes';
import type { Span } from './span';
import { replaceSpans } from './span';
import type { Trigger } from './trigger';
import { nextTrigger } from './trigger';
import { querySignature, urlPassword, webhookSecret } from './urls';
import { ValueEnds } from './valueEnds';

/** The line with the secrets replaced that a name, a shape or a place gives away; the same string where there are none. */
export function scan(line: string): string {
  let trigger = nextTrigger(line, 0);
  if (trigger === undefined) return line;
  const ends = new ValueEnds(line, isJsonLike(line));
  const spans: Span[] = [];
  while (trigger !== undefined) {
    spans.push(...secretsAt(ends, trigger));
    // A place may give away what comes later: between the two there may be another.
    trigger = nextTrigger(line, trigger.end);
  }
  return replaceSpans(line, spans);
}

function secretsAt(ends: ValueEnds, { kind, text, index }: Trigger): readonly Span[] {
  if (kind === 'shape') return some(shapeSpan(ends.text, index));
  if (kind === 'place') return some(placeSpan(ends, text, index));
  const key = text === 'KEY' ? privateKey(ends.text, index) : undefined;
  return key === undefined ? keyedSecrets(ends, index) : [key];
}

function shapeSpan(line: string, at: number): Span | undefined {
  const shape = shapeAround(line, at);
  return shape && { start: shape.start, end: shape.end, text: masked(shape.prefix) };
}

function placeSpan(ends: ValueEnds, text: string, at: number): Span | undefined {
  const { text: line } = ends;
  if (text === '@') return urlPassword(line, at);
  if (text === '=') return querySignature(line, at);
  return text === 'k.c' ? webhookSecret(line, at) : bearer(ends, at);
}

function some(span: Span | undefined): readonly Span[] {
  return span === undefined ? [] : [span];
}
