import type { Turn } from './turn';

/** A prompt that begins with a slash. */
export interface Command {
  /** Without the slash. */
  readonly name: string;
  /** One sentence. */
  readonly description: string;
  /** What may follow the name. */
  readonly hint?: string;
  /** Plays the turn. It ends with `end_turn`, or with a JSON-RPC error when this throws a `RequestError`. */
  run(turn: Turn): Promise<void>;
}

export interface NumberRange {
  readonly least: number;
  readonly most: number;
  /** The value of a text that is no number. */
  readonly otherwise: number;
}

/** Reads a number that a person typed, held within the range. */
export function numberOr(text: string, range: NumberRange): number {
  const value = Number(text.replaceAll(/[\s,_]/g, ''));
  if (text.trim() === '' || !Number.isFinite(value)) return range.otherwise;
  return Math.min(range.most, Math.max(range.least, value));
}
