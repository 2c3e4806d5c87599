import { bearer } from './headers';
import { keyedSecrets } from './keyed';
import { masked } from './marker';
import { privateKey } from './pem';
import { plainLine } from './plainLine';
import { isJsonLike } from './rawText';
import { shapeAround } from './shapes';
import type { Span } from './span';
import { present, replaceSpans } from './span';
import type { Trigger } from './trigger';
import { nextTrigger } from './trigger';
import { discordSecret, querySignature, urlPassword, webhookSecret } from './urls';
import { ValueEnds } from './valueEnds';

/** Finds what is secret for another reason than its name, shape or place. */
export type Finder = (text: string) => readonly Span[];

/**
 * The line with the secrets replaced that a name, a shape or a place gives away; the same string where there are none.
 * @param others finds the others where a line is read as a person reads it: in the line as it crossed they have been replaced
 */
export function scan(line: string, others: Finder): string {
  const first = nextTrigger(line, 0);
  // Between the letters of UTF-16 and of colours nothing is found. The search for triggers takes four times as long with a NUL among them.
  const hasUnseen = line.includes('\0') || line.includes('\u001b');
  if (first === undefined) return hasUnseen ? replaceSpans(line, secretsBehind(line, others)) : line;
  const { spans, hasColours } = secretsFrom(line, first);
  return replaceSpans(line, hasColours || hasUnseen ? spans.concat(secretsBehind(line, others)) : spans);
}

interface Secrets {
  readonly spans: readonly Span[];
  readonly hasColours: boolean;
}

function secretsFrom(line: string, first: Trigger): Secrets {
  const ends = new ValueEnds(line, isJsonLike(line));
  const spans: Span[] = [];
  let hasColours = false;
  for (let trigger: Trigger | undefined = first; trigger !== undefined; trigger = nextTrigger(line, trigger.end)) {
    // A place may give away what comes later: between the two there may be another.
    if (trigger.kind === 'colour') hasColours = true;
    else spans.push(...secretsAt(ends, trigger));
  }
  return { spans, hasColours };
}

/** The secrets that show where a line is read as a person reads it. */
function secretsBehind(line: string, others: Finder): readonly Span[] {
  const plain = plainLine(line);
  if (plain === undefined) return [];
  const first = nextTrigger(plain.text, 0);
  const spans = first ? secretsFrom(plain.text, first).spans : [];
  return [...others(plain.text), ...spans].map((span) => plain.original(span));
}

function secretsAt(ends: ValueEnds, { kind, text, index }: Trigger): readonly Span[] {
  if (kind === 'shape') return present(shapeSpan(ends.text, index));
  if (kind === 'place') return present(placeSpan(ends, text, index));
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
  if (text === 'k.c') return webhookSecret(line, at);
  return text === 'ks' ? discordSecret(line, at) : bearer(ends, at);
}
