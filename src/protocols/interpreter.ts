import type { LineRecord } from '../log/store/lineRecord';
import type { RecordDraft } from '../log/record';
import type { EndCause } from '../log/termination';
import type { WireEvent, WireMessage } from '../wire/wireEvent';
import type { Fact } from './facts';
import type { LogLine } from './logLine/logLine';
import type { OpenRequest } from './jsonrpc/requests';

/** A mode that a session can be in (ACP "Session Modes"). */
export interface SessionMode {
  readonly id: string;
  readonly name: string;
}

/** What becomes of sessions, as the wire tells it. */
export type SessionChange =
  /** `parent` is the session that started this one, a subagent's. */
  | { readonly type: 'seen'; readonly sessionId: string; readonly at: number; readonly parent?: string }
  | { readonly type: 'titled'; readonly sessionId: string; readonly title: string | undefined }
  | {
      readonly type: 'modes';
      readonly sessionId: string;
      readonly current: string;
      readonly available?: readonly SessionMode[];
    }
  | { readonly type: 'ended'; readonly sessionId: string; readonly at: number }
  /** It can be used, also where it had ended. */
  | { readonly type: 'resumed'; readonly sessionId: string; readonly at: number };

/** What becomes of requests, in either direction. */
export type RequestChange =
  | { readonly type: 'opened'; readonly request: OpenRequest }
  /** The request with its latest progress; it is the one that is open by this id in this direction. */
  | { readonly type: 'progress'; readonly request: OpenRequest }
  | { readonly type: 'closed'; readonly request: OpenRequest };

/** Takes what an interpreter has read. */
export interface InterpreterSink {
  /** A `LineRecord` is only lent. */
  record(draft: RecordDraft | LineRecord): void;
  /** Whether log messages may come as a `LineRecord`. Default: no, all come as drafts. */
  readonly takesLines?: boolean;
  /** Whether the fact of this log message is needed, so that its line has to be parsed. Default: no. */
  needsFact?(log: LogLine): boolean;
  /** The number of the record that came last; 0 before the first. */
  readonly lastSeq: number;
  session(change: SessionChange): void;
  request(change: RequestChange): void;
  /** Takes what the line means, after its records. */
  fact?(fact: Fact): void;
}

/**
 * Says what wire events mean. It is a function of the events so far: no clock (time is on the event), no input or output. One
 * interpreter reads one run, from its first event to its last.
 */
export interface Interpreter {
  accept(event: WireEvent): void;
  /**
   * Reads a log message from the bytes of its line, without accepting it. A second call for the same line, or accepting it, costs nothing more.
   * @returns an object that is reused for the next line; `undefined` if the line has to be parsed
   */
  readLog?(line: WireMessage): LogLine | undefined;
  /** Nothing has crossed since the last event until this time, in milliseconds since the epoch: what waited for more is complete. */
  quiet(t: number): void;
  /**
   * No more events are read, though more may have crossed: what waited for more is complete by `t`, and nothing counts as having lasted until
   * then. Default: `quiet`.
   */
  finish?(t: number): void;
  /** The next event came at this time, in milliseconds since the epoch; when all before it came is unknown. */
  resume?(t: number): void;
  /** Whether something waits for more, or for quiet. */
  readonly isWaiting: boolean;
  /** Why the process ended without being asked to, if that was found out. */
  readonly endCause?: EndCause | undefined;
  /** What is wrong with an answer to `initialize` that cannot be taken for one, as long as no other has come. */
  readonly unusableAnswer?: EndCause | undefined;
}
