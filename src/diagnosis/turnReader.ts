import type { Seen, TurnEndFact } from './seen';

/** Follows the turns of one protocol: it keeps the conversation's turns, and says when one is over. */
export interface TurnReader {
  see(seen: Seen): TurnEndFact | undefined;
}
