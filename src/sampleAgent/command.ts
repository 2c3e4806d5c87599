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
