import type { WireMessage, WireProcessEvent } from '../wire/wireEvent';
import type { Fact } from '../protocols/facts';
import type { EndedTurn } from './conversation/turn';

/** A turn is over, whatever ended it. */
export interface TurnEndFact {
  readonly type: 'turn-end';
  readonly event: WireMessage | WireProcessEvent;
  readonly turn: EndedTurn;
  /** The agent ran a command of its own, such as `/compact`, and not its model. */
  readonly isOfCommand?: true;
}

/** What rules look at. */
export type Seen = Fact | TurnEndFact;

/** The line that it was read from. */
export function lineOf(seen: Seen): string | undefined {
  return seen.event.dir === 'ev' ? undefined : seen.event.line;
}

/** Whether the log has only a part of the message: what is missing may have been left out by us. */
export function isCut({ event }: Seen): boolean {
  return event.dir !== 'ev' && event.bytes !== undefined;
}
