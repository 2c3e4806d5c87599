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

/** The line with the secrets replaced that a name, a shape or a place gives away; the same string where there are none. */
export function scan(line: string): string {
  let trigger = nextTrigger(line, 0);
  if (trigger === undefined) return line;
  const json = isJsonLike(line);
  const spans: Span[] = [];
  while (trigger !== undefined) {
    spans.push(...secretsAt(line, trigger, json));
    // A place may give away what comes later: between the two there may be another.
    trigger = nextTrigger(line, trigger.end);
  }
  return replaceSpans(line, spans);
}

function secretsAt(line: string, { kind, text, index }: Trigger, json: boolean): readonly Span[] {
  if (kind === 'shape') return some(shapeSpan(line, index));
  if (kind === 'place') return some(placeSpan(line, text, index));
  const key = text === 'KEY' ? privateKey(line, index) : undefined;
  return key === undefined ? keyedSecrets(line, index, json) : [key];
}

function shapeSpan(line: string, at: number): Span | undefined {
  const shape = shapeAround(line, at);
  return shape && { start: shape.start, end: shape.end, text: masked(shape.prefix) };
}

function placeSpan(line: string, text: string, at: number): Span | undefined {
  if (text === '@') return urlPassword(line, at);
  if (text === '=') return querySignature(line, at);
  return text === 'k.c' ? webhookSecret(line, at) : bearer(line, at);
}

function some(span: Span | undefined): readonly Span[] {
  return span === undefined ? [] : [span];
}
