import type { WireDirection, WireMessage, WireProcessEvent, WireStderr } from '../../wire/wireEvent';
import type { JsonObject, RequestId } from '../json';
import type { OpenRequest } from '../openRequests';
import type { EndedTurn } from './turn';

/** The error of an answer, with every field checked. */
export interface RpcError {
  readonly code: number | undefined;
  /** With the reason, where only its data has it. */
  readonly message: string;
  readonly data: unknown;
}

interface SeenOnLine {
  readonly event: WireMessage;
  readonly dir: WireDirection;
}

export interface SeenRequest extends SeenOnLine {
  readonly type: 'request';
  readonly msg: JsonObject;
  readonly request: OpenRequest;
  readonly params: JsonObject;
  /** Whether its id was that of a request that is still open. */
  readonly isIdInUse: boolean;
}

export interface SeenNotification extends SeenOnLine {
  readonly type: 'notification';
  readonly msg: JsonObject;
  readonly method: string;
  readonly params: JsonObject;
  readonly sessionId: string | undefined;
}

export interface SeenResponse extends SeenOnLine {
  readonly type: 'response';
  readonly msg: JsonObject;
  readonly id: RequestId | undefined;
  /** Absent where nothing of that id was open. */
  readonly request: OpenRequest | undefined;
  readonly result: unknown;
  readonly error: RpcError | undefined;
  /** The one it names, or its request did. */
  readonly sessionId: string | undefined;
}

export interface SeenMalformed extends SeenOnLine {
  readonly type: 'malformed';
  readonly why: 'not-json' | 'too-long' | 'no-message' | 'batch';
}

/** A line of a stream that is no conversation: one JSON object each. */
export interface SeenObject extends SeenOnLine {
  readonly type: 'object';
  readonly msg: JsonObject;
  /** The latest that the agent has named: not all lines do. */
  readonly sessionId: string | undefined;
}

interface SeenStderr {
  readonly type: 'stderr';
  readonly event: WireStderr;
}

interface SeenProcess {
  readonly type: 'process';
  readonly event: WireProcessEvent;
}

/** A turn that is over, whatever told so. */
export interface SeenTurnEnd {
  readonly type: 'turn-end';
  readonly event: WireMessage | WireProcessEvent;
  readonly turn: EndedTurn;
  /** Whether the agent says that it was no turn of its model's: a command of its own, as `/compact`. */
  readonly isOfCommand?: true;
}

/** One thing on the wire, read as far as all protocols have it in common. */
export type Seen =
  SeenRequest | SeenNotification | SeenResponse | SeenMalformed | SeenObject | SeenStderr | SeenProcess | SeenTurnEnd;

/** The line of the wire that it was on. */
export function lineOf(seen: Seen): string | undefined {
  return seen.event.dir === 'ev' ? undefined : seen.event.line;
}
