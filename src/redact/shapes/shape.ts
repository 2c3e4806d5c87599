/** A token that is known by how it begins. */
export interface Shape {
  readonly vendor: string;
  /** Public, and kept. */
  readonly prefix: string;
  /** The characters that follow, as the inside of a character class. */
  readonly alphabet: string;
  /** How many of them there are at least. */
  readonly min: number;
  readonly max?: number;
  /** What of the token comes before the prefix, if anything, as an expression. It is replaced too. */
  readonly before?: string;
  /** Whether what follows must look like nothing a person would name something. */
  readonly opaque?: true;
  /** What is somewhere in it. */
  readonly inside?: string;
  /** What follows the prefix has this form. */
  readonly form?: RegExp;
}

/** Characters, as the inside of a character class. */
export const hex = '0-9a-fA-F';
export const upper = 'A-Z0-9';
export const base32 = 'A-Z2-7';
export const alnum = 'A-Za-z0-9';
export const alnumLow = 'a-z0-9';
export const base64 = 'A-Za-z0-9+/=';
export const base64url = String.raw`\w-`;
export const dotted = String.raw`\w.-`;
/** Names of machines with a hash in them are in small letters. */
export const mixedCase = /^(?=.*[A-Z])(?=.*[a-z])/;
