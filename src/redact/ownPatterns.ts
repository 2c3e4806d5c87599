import { isColonNext, isJson, parsedJson, stringEnd } from '../text/jsonText';
import type { Span } from './span';
import { marker, replaceSpans } from './span';

/** Runs work that may never end. Returns `undefined` if it was stopped after this many milliseconds. */
export type TimeLimit = <T>(work: () => T, ms: number) => { readonly value: T } | undefined;

export interface OwnPatternsOptions {
  /** Without one, a pattern may take as long as it likes. */
  readonly limit?: TimeLimit;
  /** Called once for each pattern that took too long. The pattern is dropped. */
  readonly onTimeout?: (pattern: RegExp) => void;
}

/** About 20 ms at worst: starting a guard takes longer than most lines do. */
const maxUnguardedSteps = 1_000_000;
const baseLimitMs = 250;
/** A pattern that takes linear time is ten times as fast. */
const charactersPerMs = 5000;

/** Syntax that means something else, or nothing, without the `u` flag. */
const unicodeSyntax = /\\(?:[pP]\{|u\{|k<)/;

/**
 * Compiles a pattern as a person writes it: with the `u` flag, so that `\p{L}` works; without it if it is valid only then, as `\-` is.
 * @throws SyntaxError
 */
export function compilePattern(source: string): RegExp {
  try {
    return new RegExp(source, 'gu');
  } catch (error) {
    if (unicodeSyntax.test(source)) throw error;
    return new RegExp(source, 'g');
  }
}

/**
 * The person's own patterns. In JSON they are tried on the values of strings, not on names; elsewhere on the whole line. They don't see
 * earlier replacements, so redacting twice changes nothing.
 *
 * A pattern that takes too long is switched off for as long as this object is in use, and the text it was stuck on is replaced whole.
 */
export class OwnPatterns {
  readonly #limit: TimeLimit | undefined;
  readonly #onTimeout: (pattern: RegExp) => void;
  #patterns: readonly OwnPattern[];

  constructor(patterns: readonly RegExp[], { limit, onTimeout = () => undefined }: OwnPatternsOptions = {}) {
    this.#limit = limit;
    this.#onTimeout = onTimeout;
    this.#patterns = patterns.map((given) => ({
      given,
      expression: new RegExp(given.source, `${given.flags.replace(/[gy]/g, '')}g`),
      stepsFor: stepBound(given),
    }));
  }

  get isEmpty(): boolean {
    return this.#patterns.length === 0;
  }

  redact(line: string): string {
    return replaceSpans(line, this.spans(line));
  }

  /** Where in a line they match. Matches of several patterns may overlap. */
  spans(line: string): readonly Span[] {
    if (this.isEmpty) return [];
    return this.#spansAt(line, isJson(line) ? valueStrings(line) : [whole(line)]);
  }

  /** The same for a piece of a longer text, which may be JSON: they are tried on all of it, and on what is between any two quotes. */
  spansInPiece(text: string): readonly Span[] {
    return this.isEmpty ? [] : this.#spansAt(text, [whole(text), ...betweenQuotes(text)]);
  }

  #spansAt(line: string, places: readonly Place[]): readonly Span[] {
    const found = this.#rangesIn(places.map(({ text }) => text));
    return places.flatMap((place, index) => {
      const ranges = found[index] ?? [];
      if (ranges.length === 0) return [];
      const originOf = originsIn(line, place);
      return ranges.map(({ start, end }) => ({ start: originOf(start), end: originOf(end), text: marker }));
    });
  }

  #rangesIn(texts: readonly string[]): readonly (readonly Range[])[] {
    const timedOut = new Set<string>();
    for (;;) {
      const patterns = this.#patterns;
      let trying: { readonly text: string; readonly pattern: OwnPattern } | undefined;
      const search = (): readonly (readonly Range[])[] =>
        texts.map((text) => {
          if (timedOut.has(text)) return [{ start: 0, end: text.length }];
          const found = patterns.map((pattern) => {
            trying = { text, pattern };
            return matchesOf(pattern.expression, text);
          });
          return found.flat();
        });
      if (this.#limit === undefined || !needsGuard(patterns, texts)) return search();
      const ms = limitFor(patterns, texts);
      // A second try, because the machine may have been busy with something else.
      const done = this.#limit(search, ms) ?? this.#limit(search, ms);
      if (done !== undefined) return done.value;
      if (trying === undefined) continue; // stopped before it began
      timedOut.add(trying.text);
      this.#switchOff(trying.pattern);
    }
  }

  #switchOff(pattern: OwnPattern): void {
    this.#patterns = this.#patterns.filter((other) => other !== pattern);
    this.#onTimeout(pattern.given);
  }
}

interface OwnPattern {
  readonly given: RegExp;
  readonly expression: RegExp;
  readonly stepsFor: (length: number) => number;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** A string value in a line of JSON: its place, with its quotes, and its content; or a whole line that isn't JSON. */
interface Place extends Range {
  readonly text: string;
}

function needsGuard(patterns: readonly OwnPattern[], texts: readonly string[]): boolean {
  let steps = 0;
  for (const { length } of texts) for (const { stepsFor } of patterns) steps += stepsFor(length);
  return steps > maxUnguardedSteps;
}

function limitFor(patterns: readonly OwnPattern[], texts: readonly string[]): number {
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  return baseLimitMs + Math.ceil((characters * patterns.length) / charactersPerMs);
}

function matchesOf(pattern: RegExp, text: string): Range[] {
  const ranges: Range[] = [];
  let from = 0;
  try {
    for (const part of text.split(marker)) {
      for (const { 0: match, index } of part.matchAll(pattern)) {
        if (match !== '') ranges.push({ start: from + index, end: from + index + match.length });
      }
      from += part.length + marker.length;
    }
    return ranges;
  } catch {
    // The matcher ran out of stack or memory: rather hide the whole text than leak a secret in it.
    return [{ start: 0, end: text.length }];
  }
}

/** The string values in a line of JSON. */
function valueStrings(line: string): readonly Place[] {
  // A string before a colon is a name. A regular expression for strings fails at those with millions of escapes.
  const places: Place[] = [];
  for (let start = line.indexOf('"'); start >= 0;) {
    const end = stringEnd(line, start + 1) + 1;
    if (!isColonNext(line, end)) places.push({ start, end, text: textOf(line.slice(start, end)) });
    start = line.indexOf('"', end);
  }
  return places;
}

/** What is between two quotes, or an end of the text: which of them are strings of JSON doesn't show in a piece of it. */
function betweenQuotes(text: string): readonly Place[] {
  const places: Place[] = [];
  for (let start = -1; start < text.length;) {
    const end = stringEnd(text, start + 1);
    if (end > start + 1) places.push(between(text, start, end));
    start = end;
  }
  return places;
}

/** @param before the place of the quote before it */
function between(text: string, before: number, end: number): Place {
  const content = text.slice(before + 1, end);
  const decoded = content.includes('\\') ? parsedJson(`"${content}"`) : undefined;
  return typeof decoded === 'string'
    ? { start: before, end: end + 1, text: decoded }
    : { start: before + 1, end, text: content };
}

function whole(text: string): Place {
  return { start: 0, end: text.length, text };
}

function textOf(json: string): string {
  return json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1);
}

/** Maps an offset in the text of a place to one in the line. */
function originsIn(line: string, { start, end, text }: Place): (at: number) => number {
  if (text.length === end - start) return (at) => start + at;
  if (text.length === end - start - 2) return (at) => start + 1 + at;
  const origins: number[] = [];
  let at = start + 1;
  while (at < end - 1) {
    origins.push(at);
    const isEscape = line.charAt(at) === '\\';
    at += isEscape ? (line.charAt(at + 1) === 'u' ? 6 : 2) : 1;
  }
  return (offset) => origins[offset] ?? end - 1;
}

/** What of an expression is one step, whatever it is: an escape or a class. Neither can hold a group or a quantifier. */
const atoms = /\\(?:[pPu]\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[^])|\[(?:\\[^]|[^\]\\])*\]/g;
const backReference = /\\(?:[1-9]|k<)/;
const quantifier = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/;
const plainGroup = /^\((?:\?:|\?<[^=!>][^>]*>)?(?!\?)/;

/**
 * An upper bound of the steps that a backtracking matcher needs to find all matches in a text of this length. Infinite if the
 * expression repeats groups, looks around or refers back, which can take exponential time, or isn't in the strict syntax of the `u` flag.
 */
export function stepBound({ source, unicode }: RegExp): (length: number) => number {
  const isKnown = unicode && !backReference.test(source);
  const alternatives = isKnown ? alternativesOf(source.replace(atoms, 'a')) : undefined;
  if (alternatives === undefined) return () => Infinity;
  // Each of `length + 1` places is tried. From there, a step belongs to a position in the pattern and a choice for each quantifier before.
  return (length) =>
    alternatives.reduce(
      (sum, { positions, choices, open }) => sum + positions * choices * (length + 1) ** (open + 1),
      0,
    );
}

interface Alternative {
  /** The positions in it, with repetitions written out. */
  positions: number;
  /** The ways through it, quantifiers without an upper limit aside. */
  choices: number;
  /** The number of those quantifiers. */
  open: number;
}

/** The alternatives of an expression; `undefined` if it has something whose cost isn't known. */
function alternativesOf(source: string): readonly Alternative[] | undefined {
  let current: Alternative = { positions: 1, choices: 1, open: 0 };
  const alternatives = [current];
  const ways: number[] = []; // of each group that is open
  for (let at = 0; at < source.length;) {
    const rest = source.slice(at);
    const group = plainGroup.exec(rest)?.[0];
    const repeat = quantifier.exec(rest);
    if (group !== undefined) ways.push(1);
    else if (rest.startsWith('(')) return undefined;
    else if (rest.startsWith(')')) {
      current.choices *= ways.pop() ?? 1;
      if (quantifier.test(rest.slice(1))) return undefined;
    } else if (rest.startsWith('|') && ways.length > 0) ways.push((ways.pop() ?? 1) + 1);
    else if (rest.startsWith('|')) alternatives.push((current = { positions: 1, choices: 1, open: 0 }));
    else if (repeat) addRepeat(current, repeat);
    else current.positions++;
    at += group?.length ?? repeat?.[0].length ?? 1;
  }
  return alternatives;
}

function addRepeat(alternative: Alternative, [text, least, comma, most]: RegExpExecArray): void {
  const isOpen = /^[*+]/.test(text) || (comma !== undefined && most === '');
  const times = text.startsWith('?') ? 1 : Number(most || least || 1);
  alternative.positions += times;
  if (isOpen) alternative.open++;
  else if (comma !== undefined || text.startsWith('?')) alternative.choices *= times + 1;
}
