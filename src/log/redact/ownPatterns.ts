import { marker } from './marker';
import { isJson, stringEnd } from './rawText';
import type { Span } from './span';

/**
 * The person's own patterns. In JSON they are tried on what each string means, names of members aside; elsewhere on the whole line. They
 * see no replacement, so that doing it twice changes nothing. How long they take is up to who wrote them.
 */
export class OwnPatterns {
  readonly #patterns: readonly RegExp[];

  constructor(patterns: readonly RegExp[]) {
    this.#patterns = patterns.map(({ source, flags }) => new RegExp(source, `${flags.replace(/[gy]/g, '')}g`));
  }

  get isEmpty(): boolean {
    return this.#patterns.length === 0;
  }

  redact(line: string): string {
    if (this.#patterns.length === 0) return line;
    return isJson(line) ? this.#inStrings(line) : this.#inText(line);
  }

  /** Where what they match is in a line, without those pieces of it that have been replaced. */
  spans(line: string): readonly Span[] {
    if (this.#patterns.length === 0) return [];
    return isJson(line) ? valueStrings(line).flatMap((place) => this.#spansInString(line, place)) : this.#spansIn(line);
  }

  #spansInString(line: string, { start, end }: StringPlace): readonly Span[] {
    const json = line.slice(start, end);
    const spans = this.#spansIn(textOf(json));
    if (spans.length === 0) return spans;
    const origins = originsIn(json);
    const originOf = (at: number): number => start + (origins[at] ?? json.length - 1);
    return spans.map((span) => ({ ...span, start: originOf(span.start), end: originOf(span.end) }));
  }

  #spansIn(text: string): readonly Span[] {
    const spans: Span[] = [];
    let from = 0;
    for (const part of text.split(marker)) {
      for (const pattern of this.#patterns) {
        for (const { 0: found, index } of part.matchAll(pattern)) {
          spans.push({ start: from + index, end: from + index + found.length, text: marker });
        }
      }
      from += part.length + marker.length;
    }
    return spans;
  }

  #inStrings(line: string): string {
    let redacted = '';
    let done = 0;
    for (const { start, end } of valueStrings(line)) {
      redacted += line.slice(done, start) + this.#string(line.slice(start, end));
      done = end;
    }
    return redacted + line.slice(done);
  }

  /** @param json a string of JSON, with its quotes */
  #string(json: string): string {
    const text = textOf(json);
    const redacted = this.#inText(text);
    return redacted === text ? json : JSON.stringify(redacted);
  }

  #inText(text: string): string {
    let redacted = text;
    for (const pattern of this.#patterns) {
      redacted = redacted
        .split(marker)
        .map((part) => part.replace(pattern, (match: string) => (match === '' ? '' : marker)))
        .join(marker);
    }
    return redacted;
  }
}

/** Where a string of JSON is, with its quotes. */
interface StringPlace {
  readonly start: number;
  readonly end: number;
}

/** The strings in a line of JSON, names of members aside. */
function valueStrings(line: string): readonly StringPlace[] {
  // The line is JSON: what a colon follows is a name. An expression for such strings fails at those with millions of escapes.
  const places: StringPlace[] = [];
  for (let start = line.indexOf('"'); start >= 0;) {
    const end = stringEnd(line, start + 1) + 1;
    if (!isColonNext(line, end)) places.push({ start, end });
    start = line.indexOf('"', end);
  }
  return places;
}

function textOf(json: string): string {
  return json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1);
}

/** Where each character of a string of JSON is written. */
function originsIn(json: string): readonly number[] {
  const origins: number[] = [];
  for (let at = 1; at < json.length - 1;) {
    origins.push(at);
    const isEscape = json.charAt(at) === '\\';
    at += isEscape ? (json.charAt(at + 1) === 'u' ? 6 : 2) : 1;
  }
  return origins;
}

function isColonNext(json: string, at: number): boolean {
  let next = at;
  while (' \t\r\n'.includes(json.charAt(next)) && next < json.length) next++;
  return json.charAt(next) === ':';
}
