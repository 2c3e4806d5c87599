import type { Level } from '../text/level';
import type { WireDirection, WireMessage, WireProcessEvent, WireStderr } from '../wire/wireEvent';
import type { ActivityFact } from './activity';
import type { FileChange } from './changes/fileChange';
import type { JsonObject, RequestId } from '../text/json';
import type { ClosedRequest, OpenRequest, RequestEnd } from './requests';
import type { MethodRole } from './methodRole';
import type { RpcError } from './rpcError';

interface OnLine {
  /** The line and its time. */
  readonly event: WireMessage;
  readonly dir: WireDirection;
}

/** A JSON-RPC request. */
export interface RequestFact extends OnLine {
  readonly type: 'request';
  readonly msg: JsonObject;
  readonly request: OpenRequest;
  readonly params: JsonObject;
  /** True if another request with this ID is still open. */
  readonly isIdInUse: boolean;
  /** Its work is a step of another kind: a turn, a tool call or a question. */
  readonly isOtherStep?: boolean;
  /** The files that it changes if it succeeds. */
  readonly changes?: readonly FileChange[] | undefined;
}

/** A JSON-RPC notification. */
export interface NotificationFact extends OnLine {
  readonly type: 'notification';
  readonly msg: JsonObject;
  readonly method: string;
  readonly role?: MethodRole | undefined;
  readonly params: JsonObject;
  readonly sessionId: string | undefined;
  /** True if it repeats earlier events, as when a session is loaded. */
  readonly isHistory: boolean;
}

/** A JSON-RPC response, paired with its request. */
export interface ResponseFact extends OnLine {
  readonly type: 'response';
  readonly msg: JsonObject;
  readonly id: RequestId | undefined;
  /** Absent if no request with this ID was open. */
  readonly request: OpenRequest | undefined;
  /** If there is no open request: the closed one with this ID. */
  readonly late: ClosedRequest | undefined;
  readonly result: unknown;
  readonly error: RpcError | undefined;
  /** The request's session, or the one named in the result. */
  readonly sessionId: string | undefined;
  /** The request goes on as a task (MCP), and ends with a `closed` fact. */
  readonly isAccepted?: boolean;
}

/** A request ended without a response, or the task that it went on as ended. Precedes the fact of the line or event that ended it. */
export interface ClosedFact {
  readonly type: 'closed';
  readonly event: WireMessage | WireProcessEvent;
  readonly request: OpenRequest;
  /** `answered`: as a task. */
  readonly how: RequestEnd;
  /** Why its task failed. */
  readonly error?: RpcError | undefined;
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
  /** The session that the agent named last, because not every line names one. */
  readonly sessionId: string | undefined;
}

/** A line of text with the usual prefixes, or a structured entry. */
export interface StderrLine {
  readonly level?: Level;
  /** In milliseconds since the epoch. */
  readonly time?: number;
  readonly logger?: string;
  /** Without prefixes. */
  readonly message: string;
  /** The other fields of a structured entry. */
  readonly data?: unknown;
}

/** A line of an entry that says something: no frame, quoted code or field of an exception. */
export interface SaidLine extends StderrLine {
  /** Plain text, with the line that completes its sentence. */
  readonly text: string;
  /** True if the entry consists of frames and the like, so that this is only the last of them. */
  readonly isIdle?: true;
}

/** An entry on standard error: a line of a log, or an exception with its stack. */
export interface StderrEntry {
  /** The first line. */
  readonly event: WireStderr;
  /** When the last line came, in milliseconds since the epoch. */
  readonly t: number;
  readonly raw: string;
  readonly said: readonly SaidLine[];
}

/** An entry on standard error that is complete. */
export interface StderrFact {
  readonly type: 'stderr';
  readonly event: WireStderr;
  readonly entry: StderrEntry;
  /** Index of its record in the reading of the event that completed it. */
  readonly record: number | undefined;
}

/** A change of the process or the connection. */
export interface ProcessFact {
  readonly type: 'process';
  readonly event: WireProcessEvent;
}

/** The fact of a line or event on the wire. */
export type LineFact =
  RequestFact | NotificationFact | ResponseFact | ClosedFact | JunkFact | ObjectFact | StderrFact | ProcessFact;

/** The meaning of a wire event. Readers yield facts in order, so that nothing else has to parse messages or pair requests. */
export type Fact = LineFact | ActivityFact;
