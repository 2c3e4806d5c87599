import type { Style } from '../names';
import type { Random } from '../random';
import type { Kind } from '../secrets';

export type Group = 'JSON' | 'env' | 'header' | 'URL' | 'source code' | 'command line' | 'config file';

/** A text around a named value. */
export interface Carrier {
  readonly group: Group;
  readonly name: string;
  /** How names are written here; one of them is drawn. */
  readonly styles: readonly Style[];
  /** What can stand here: every kind of secret unless listed. */
  readonly kinds?: readonly Kind[];
  /** Secrets with one of these characters can't be written here. */
  readonly not?: RegExp;
  /** The text is JSON, and crosses as a value rather than in a string. */
  readonly isData?: true;
  /** How many strings of JSON the value is in already, one in the other; none unless given. */
  readonly depth?: number;
  /** Name and value are in different lines, which must arrive together. */
  readonly needsLines?: true;
  readonly text: (name: string, value: string, random: Random) => string | Encoded;
}

/** For a secret that crosses in another form than its own, such as base64. */
export interface Encoded {
  readonly text: string;
  readonly secret: string;
}

type Options = Partial<Pick<Carrier, 'styles' | 'kinds' | 'not' | 'isData' | 'needsLines' | 'depth'>>;

/** Shortens the lists of carriers: name, text and what is special. */
export function group(
  name: Group,
  defaults: Options & Pick<Carrier, 'styles'>,
  carriers: readonly (readonly [name: string, text: Carrier['text'], options?: Options])[],
): Carrier[] {
  return carriers.map(([carrier, text, options]) => ({ group: name, name: carrier, text, ...defaults, ...options }));
}
