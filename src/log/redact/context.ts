import type { Span } from './span';

/** Finds secrets that no name, shape or place gives away. */
export interface Finders {
  /** Known values. */
  readonly values: (text: string) => readonly Span[];
  /** Whether a text may hold a known value, escaped or not (but for escaped letters). */
  readonly mayHoldValue: (text: string) => boolean;
  /** The user's own patterns. */
  readonly patterns: (text: string) => readonly Span[];
}

/** What the scanner knows about the text that a view is part of. */
export interface Context {
  readonly finders: Finders;
  /** How many times the text has been decoded. */
  readonly level: number;
  readonly isProgress: boolean;
  /** How many JSON strings enclose it, if it is JSON all the way out. */
  readonly depth: number | undefined;
}
