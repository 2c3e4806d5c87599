/** A text that is looked for in bytes, and what has to come after it. Of a long one only the first eight bytes are compared. */
export interface Fragment {
  readonly text: string;
  readonly anyCase?: boolean;
  /** What must not follow at once: a letter, or the `s` of a plural. */
  readonly unless?: 'letter' | 'plural';
  /**
   * What has to follow. `value`: what may be the value of a name that has the text in it. `long`: a value of sixteen bytes or more.
   * `address`: an `@` in the same address. A number: so many bytes of a token. Default: anything.
   */
  readonly then?: 'value' | 'long' | 'address' | number;
}

/** How a token begins: after no letter, digit or dash. */
export interface Prefix {
  readonly text: string;
  /** The fewest bytes that the token has, with its prefix: 13 or more, which is what the kernel first looks for. */
  readonly length: number;
}

/** What a line may hold that is looked for. */
export interface Sought {
  readonly fragments: readonly Fragment[];
  readonly prefixes: readonly Prefix[];
}

/** What a line has in it, as bits. */
export const contents = { beyondAscii: 1, control: 2, backslash: 4, candidate: 8, invalid: 16 } as const;

/** Sets of bytes, as in a class of a regular expression: by the order of their bits. */
export const byteSets = {
  token: String.raw`\w.~+/=%#$-`,
  word: String.raw`\w-`,
  sentence: String.raw`A-Za-z'(),_. \t\x80-\xff-`,
  valueNext: String.raw`\x00-\x1f"'\x60:=\\%&<>\]|({?!\[*,;\x80-\xff`,
  valueAfterBlank: String.raw`\x00-\x1f"'\x60:=\\|{*&<>\[\]\x80-\xff`,
  separator: String.raw`\x00-\x20\\"':=\x80-\xff`,
  letter: 'A-Za-z',
  addressEnd: String.raw`\x00-\x20"'\x60<>`,
} as const;

/** How many bytes of a fragment are compared. */
export const maxFragment = 8;

/** Tells what lines have in them. */
export interface LineScanner {
  /**
   * The lines of a chunk, each as three numbers: where it starts and ends, without its line break, and what is in it. The last one has no line
   * feed yet; it may be empty.
   */
  lines(bytes: Uint8Array): Int32Array;
  /** What is in bytes that are one line, whatever line feeds they have. */
  contents(bytes: Uint8Array): number;
}
