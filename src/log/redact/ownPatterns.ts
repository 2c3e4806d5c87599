import { marker } from './marker';
import { isJson } from './rawText';

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
    // The line is JSON: a string ends at the next quote that is not escaped, and what a colon follows is a name.
    return line.replace(/"([^"\\]*(?:\\.[^"\\]*)*)"([ \t\r\n]*:)?/g, (whole, raw: string, colon?: string) => {
      if (colon !== undefined) return whole;
      const text = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
      const redacted = this.#inText(text);
      return redacted === text ? whole : JSON.stringify(redacted);
    });
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
