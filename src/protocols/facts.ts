import type { WireDirection, WireEvent, WireMessage, WireProcessEvent, WireStderr } from '../wire/wireEvent';
import type { ActivityFact } from './activity/activity';
import type { JsonObject, RequestId } from './json';
import type { ClosedRequest, OpenRequest, RequestEnd } from './jsonrpc/requests';
import type { RpcError } from './jsonrpc/rpcError';

interface OnLine {
  /** The line, and when it crossed. */
  readonly event: WireMessage;
  readonly dir: WireDirection;
}

/** A JSON-RPC request. */
export interface RequestFact extends OnLine {
  readonly type: 'request';
  readonly msg: JsonObject;
  readonly request: OpenRequest;
  readonly params: JsonObject;
  /** Another request with this id is still open. */
  readonly isIdInUse: boolean;
}

/** A JSON-RPC notification. */
export interface NotificationFact extends OnLine {
  readonly type: 'notification';
  readonly msg: JsonObject;
  readonly method: string;
  readonly params: JsonObject;
  readonly sessionId: string | undefined;
  /** It repeats what happened before, as while a session is loaded. */
  readonly isHistory: boolean;
}

/** A JSON-RPC response, paired with its request. */
export interface ResponseFact extends OnLine {
  readonly type: 'response';
  readonly msg: JsonObject;
  readonly id: RequestId | undefined;
  /** Absent if no request with this id was open. */
  readonly request: OpenRequest | undefined;
  /** Without a request: the one with this id that was over already. */
  readonly late: ClosedRequest | undefined;
  readonly result: unknown;
  readonly error: RpcError | undefined;
  /** The request's session, or the one that the result names. */
  readonly sessionId: string | undefined;
}

/** A request ended without a response. Comes before the fact of the line or event that ended it. */
export interface ClosedFact {
  readonly type: 'closed';
  readonly event: WireMessage | WireProcessEvent;
  readonly request: OpenRequest;
  readonly how: Exclude<RequestEnd, 'answered'>;
}

/** A line that isn't a message of the protocol. */
export interface JunkFact extends OnLine {
  readonly type: 'junk';
  readonly why: 'not-json' | 'too-long' | 'no-message' | 'batch';
}

/** An event of an agent's JSON stream: one object per line. */
export interface ObjectFact extends OnLine {
  readonly type: 'object';
  readonly msg: JsonObject;
  /** The session that the agent named last: not every line names one. */
  readonly sessionId: string | undefined;
}

/** A line on standard error. */
export interface StderrFact {
  readonly type: 'stderr';
  readonly event: WireStderr;
}

/** A change of the process or the connection. */
export interface ProcessFact {
  readonly type: 'process';
  readonly event: WireProcessEvent;
}

/** What crossed. */
export type LineFact =
  RequestFact | NotificationFact | ResponseFact | ClosedFact | JunkFact | ObjectFact | StderrFact | ProcessFact;

/** What a wire event means. Readers yield facts, in order; nothing else has to look at raw messages or pair requests again. */
export type Fact = LineFact | ActivityFact;

/** The fact of an event that is no message. */
export function factOf(event: Exclude<WireEvent, WireMessage>): StderrFact | ProcessFact {
  return event.dir === 'err' ? { type: 'stderr', event } : { type: 'process', event };
}
