import type { Turn } from './turn';

/** A prompt that starts with a slash. */
export interface Command {
  /** Without the slash. */
  readonly name: string;
  /** One sentence. */
  readonly description: string;
  /** Placeholder for the input after the name. */
  readonly hint?: string;
  /** Runs the turn. It ends with `end_turn`, or with a JSON-RPC error if this throws a `RequestError`. */
  run(turn: Turn): Promise<void>;
}

export interface NumberRange {
  readonly least: number;
  readonly most: number;
  /** The value if the text isn't a number. */
  readonly otherwise: number;
}

/** Parses a number that the user typed, clamped to the range. */
export function numberOr(text: string, range: NumberRange): number {
  const value = Number(text.replaceAll(/[\s,_]/g, ''));
  if (text.trim() === '' || !Number.isFinite(value)) return range.otherwise;
  return Math.min(range.most, Math.max(range.least, value));
}
