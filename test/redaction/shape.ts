import type { Random } from './random';
import { base62, digits } from './random';

/** Deep enough for all facts; ends unbounded patterns. */
const maxDepth = 5;

/**
 * A random string of a shape. A shape is a small part of a regular expression: literal characters, `[a-f0-9]`, `\d`, `\w`, groups with
 * alternatives, and `{n}`, `{n,m}` or `?` after one of them.
 */
export function ofShape(shape: string, random: Random): string {
  const generator = new Generator(shape, random);
  return generator.all();
}

class Generator {
  #at = 0;
  #depth = 0;

  constructor(
    private readonly shape: string,
    private readonly random: Random,
  ) {}

  all(): string {
    const text = this.random.pick(this.alternatives())();
    if (this.#at < this.shape.length) throw new Error(`Bad shape: ${this.shape}`);
    return text;
  }

  /** Reads up to the end of the group. Each alternative can be generated any number of times. */
  private alternatives(): (() => string)[] {
    if (++this.#depth > maxDepth) throw new Error(`Shape too deep: ${this.shape}`);
    const found: (() => string)[] = [];
    let parts: (() => string)[] = [];
    const add = (): void => {
      const own = parts;
      found.push(() => own.map((part) => part()).join(''));
      parts = [];
    };
    for (let char = this.char; char !== '' && char !== ')'; char = this.char) {
      if (char === '|') {
        this.#at++;
        add();
      } else {
        parts.push(this.repeated(this.atom()));
      }
    }
    add();
    this.#depth--;
    return found;
  }

  private get char(): string {
    return this.shape.charAt(this.#at);
  }

  private atom(): () => string {
    const char = this.char;
    this.#at++;
    if (char === '(') {
      const choices = this.alternatives();
      this.#at++;
      return () => this.random.pick(choices)();
    }
    if (char === '[') return this.oneOf(this.alphabet());
    if (char === '\\') return this.oneOf(this.escaped());
    return () => char;
  }

  private oneOf(alphabet: string): () => string {
    return () => this.random.pick(alphabet);
  }

  private escaped(): string {
    const char = this.char;
    this.#at++;
    if (char === 'd') return digits;
    return char === 'w' ? `${base62}_` : char;
  }

  private alphabet(): string {
    let alphabet = '';
    while (this.char !== ']') {
      const from = this.char === '\\' ? (this.#at++, this.escaped()) : (this.#at++, this.shape.charAt(this.#at - 1));
      if (from.length === 1 && this.char === '-' && this.shape.charAt(this.#at + 1) !== ']') {
        const to = this.shape.charCodeAt(this.#at + 1);
        for (let code = from.charCodeAt(0); code <= to; code++) alphabet += String.fromCharCode(code);
        this.#at += 2;
      } else {
        alphabet += from;
      }
    }
    this.#at++;
    return alphabet;
  }

  private repeated(part: () => string): () => string {
    const quantifier = /^(?:\{(\d+)(?:,(\d+))?\}|\?)/.exec(this.shape.slice(this.#at));
    if (quantifier === null) return part;
    const [text, min, max] = quantifier;
    this.#at += text.length;
    const from = Number(min ?? 0);
    const to = min === undefined ? 1 : Number(max ?? min);
    return () => Array.from({ length: this.random.int(from, to) }, part).join('');
  }
}
