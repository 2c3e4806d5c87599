import { masked } from './marker';
import { isOrdinarySetting } from './ordinary';
import { escapeStart, isJson, isJsonLike } from './rawText';
import { shapeAt } from './shapes';
import type { Span } from './span';
import { replaceSpans } from './span';

interface Form {
  readonly text: string;
  /** Whether it can stand in a string of JSON: no bare quotes, control characters or half escapes. */
  readonly fitsJson: boolean;
}

interface Value {
  /** A piece of it that no encoding changes: where that is missing, the value is. */
  readonly anchor: string;
  /** The character of the anchor that is the rarest in logs: looking for one character is many times as fast as for several. */
  readonly rare: string;
  readonly rareAt: number;
  /** The value as it stands in text and in up to four floors of JSON, with the longest first. */
  readonly forms: readonly Form[];
  readonly text: string;
}

/** Finds values that are known to be secret, as those of environment variables, wherever they stand: also escaped, or in a URL. */
export class ExactValues {
  readonly #values: readonly Value[];

  /** @param values those that are short, or ordinary words, numbers, paths, versions and the like, are not used */
  constructor(values: readonly string[]) {
    const used = new Set(values.map((value) => value.trim()).filter((value) => !isOrdinarySetting(value)));
    // A value may be a part of another one: the longer goes first.
    this.#values = [...used].sort((a, b) => b.length - a.length).map(prepared);
  }

  /** A piece of each value: without it the value is in no line. */
  get anchors(): readonly string[] {
    return this.#values.map(({ anchor }) => anchor);
  }

  redact(line: string): string {
    let text = line;
    for (const value of this.#values) {
      if (hasAnchor(text, value)) text = replaceSpans(text, spansOf(text, value));
    }
    return text;
  }

  /** Where they are in a line. */
  spans(line: string): readonly Span[] {
    return this.#values.flatMap((value) => (hasAnchor(line, value) ? spansOf(line, value) : []));
  }
}

/** Characters by how rare they are in lines of JSON, with the rarest last; capitals of all kinds are rarer still. */
const byRarity = 'etasonirdlcm-pgu0f1h2b435678_9.yvwkxjqz';

function commonness(char: string): number {
  const at = byRarity.indexOf(char);
  return at < 0 ? 0 : byRarity.length - at;
}

function hasAnchor(text: string, { anchor, rare, rareAt }: Value): boolean {
  for (let at = text.indexOf(rare, rareAt); at >= 0; at = text.indexOf(rare, at + 1)) {
    if (text.startsWith(anchor, at - rareAt)) return true;
  }
  return false;
}

function prepared(value: string): Value {
  const forms = new Set([value, value.replaceAll('/', '\\/'), uriEncoded(value)]);
  let escaped = value;
  for (let depth = 0; depth < 4; depth++) {
    escaped = JSON.stringify(escaped).slice(1, -1);
    forms.add(escaped);
  }
  const anchor = (value.match(/[A-Za-z0-9_.-]+/g) ?? ['']).reduce((a, b) => (b.length > a.length ? b : a));
  const rare = Array.from(anchor).reduce((a, b) => (commonness(b) < commonness(a) ? b : a), anchor.charAt(0));
  return {
    anchor,
    rare,
    rareAt: anchor.indexOf(rare),
    forms: [...forms].sort((a, b) => b.length - a.length).map((text) => ({ text, fitsJson: isJson(`"${text}"`) })),
    text: masked(shapeAt(value, 0)?.prefix),
  };
}

function uriEncoded(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value; // half of a surrogate pair
  }
}

function spansOf(line: string, { forms, text }: Value): readonly Span[] {
  const json = isJsonLike(line);
  const spans: Span[] = [];
  for (const form of forms) {
    if (json && !form.fitsJson) continue;
    const { length } = form.text;
    for (let at = line.indexOf(form.text); at >= 0; at = line.indexOf(form.text, at + length)) {
      // The letter of an escape is no letter of a value.
      if (!json || escapeStart(line, at) === undefined) spans.push({ start: at, end: at + length, text });
    }
  }
  return spans;
}
