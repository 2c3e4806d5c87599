import { marker } from './marker';
import { isJson, stringEnd } from './rawText';

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

  #inStrings(line: string): string {
    // The line is JSON: what a colon follows is a name. An expression for such strings fails at those with millions of escapes.
    let redacted = '';
    let done = 0;
    for (let open = line.indexOf('"'); open >= 0;) {
      const end = stringEnd(line, open + 1) + 1;
      if (!isColonNext(line, end)) {
        redacted += line.slice(done, open) + this.#string(line.slice(open, end));
        done = end;
      }
      open = line.indexOf('"', end);
    }
    return redacted + line.slice(done);
  }

  /** @param json a string of JSON, with its quotes */
  #string(json: string): string {
    const text = json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1);
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

function isColonNext(json: string, at: number): boolean {
  let next = at;
  while (' \t\r\n'.includes(json.charAt(next)) && next < json.length) next++;
  return json.charAt(next) === ':';
}
