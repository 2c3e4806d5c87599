import type { WireMessage } from '../wire/wireEvent';

/** Common to all facts about a session's work. */
export interface InSession {
  /** The line that it comes from. */
  readonly event: WireMessage;
  /** `undefined` if neither the line nor an earlier one names the session. */
  readonly sessionId: string | undefined;
}
