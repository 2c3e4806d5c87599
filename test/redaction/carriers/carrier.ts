import type { Style } from '../names';
import type { Random } from '../random';
import type { Kind } from '../secrets';

export type Group =
  'JSON' | 'env' | 'header' | 'URL' | 'source code' | 'command line' | 'config file' | 'layout' | 'language';

/** A text around a named value. */
export interface Carrier {
  readonly group: Group;
  readonly name: string;
  /** Name styles used here, one of which is picked at random. */
  readonly styles: readonly Style[];
  /** Kinds of secret allowed here. Default: all. */
  readonly kinds?: readonly Kind[];
  /** Secrets with one of these characters can't be written here. */
  readonly not?: RegExp;
  /** The text is JSON, and is sent as a value rather than in a string. */
  readonly isData?: true;
  /** Number of nested JSON strings that the value is already in. Default: 0. */
  readonly depth?: number;
  /** Name and value are on different lines, which must arrive together. */
  readonly needsLines?: true;
  readonly text: (name: string, value: string, random: Random) => string | Encoded;
}

/** For a secret that is sent in an encoded form, such as base64. */
export interface Encoded {
  readonly text: string;
  readonly secret: string;
}

type Options = Partial<Pick<Carrier, 'styles' | 'kinds' | 'not' | 'isData' | 'needsLines' | 'depth'>>;

/** `%n` is the name, `%v` the value. */
function filled(template: string): Carrier['text'] {
  return (name, value) => template.replace(/%[nv]/g, (part) => (part === '%n' ? name : value));
}

/** Shortens the lists of carriers: name, text and options. */
export function group(
  name: Group,
  defaults: Options & Pick<Carrier, 'styles'>,
  carriers: readonly (readonly [name: string, text: Carrier['text'] | string, options?: Options])[],
): Carrier[] {
  return carriers.map(([carrier, given, options]) => {
    const text = typeof given === 'string' ? filled(given) : given;
    return { group: name, name: carrier, text, ...defaults, ...options };
  });
}
