import type { RecordDraft } from '../text/record';
import type { WireEvent, WireMessage } from '../wire/wireEvent';
import type { Fact } from '../work/facts';
import type { LogLine } from './logLine/logLine';
import type { Work, WorkEnd } from '../work/work';

/** A mode that a session can be in (ACP "Session Modes"). */
export interface SessionMode {
  readonly id: string;
  readonly name: string;
}

/** A command that prompts of a session can begin with (ACP "Slash Commands"). */
export interface SessionCommand {
  /** Without the slash. */
  readonly name: string;
  readonly description: string;
  /** What to type after it. */
  readonly hint?: string;
}

/** A change to a session on the wire. */
export type SessionChange =
  /** `parent` is the session that started this subagent session. */
  | { readonly type: 'seen'; readonly sessionId: string; readonly at: number; readonly parent?: string }
  | { readonly type: 'titled'; readonly sessionId: string; readonly title: string | undefined }
  | {
      readonly type: 'modes';
      readonly sessionId: string;
      readonly current: string;
      readonly available?: readonly SessionMode[];
    }
  | { readonly type: 'commands'; readonly sessionId: string; readonly available: readonly SessionCommand[] }
  | { readonly type: 'ended'; readonly sessionId: string; readonly at: number }
  /** The session can be used, even if it had ended. */
  | { readonly type: 'resumed'; readonly sessionId: string; readonly at: number };

/** Receives what an interpreter reads. */
export interface InterpreterSink {
  /** A record of the event that is read. A `LogLine` that is kept would keep its whole chunk. */
  record(draft: RecordDraft | LogLine): void;
  /** A record of earlier lines, which this event completes. Returns its index in the reading. Default: `record`. */
  earlier?(draft: RecordDraft): number;
  /** True if log messages may be passed as a `LogLine`. Default: false, all are drafts. */
  readonly takesLines?: boolean;
  /** True if the fact of this log message is needed, so that its line must be parsed. Default: false. */
  needsFact?(log: LogLine): boolean;
  session(change: SessionChange): void;
  /** Receives what a line means, and what that ended. */
  fact?(fact: Fact, ended?: WorkEnd): void;
}

/** What an interpreter writes to. */
export interface ReaderContext<S = InterpreterSink> {
  readonly sink: S;
  /** The run's. A run may have several readers. */
  readonly work: Work;
}

/** Passes on a record of earlier lines. Returns its index in the reading, if the sink counts. */
export function recordEarlier(
  sink: Pick<InterpreterSink, 'record' | 'earlier'>,
  draft: RecordDraft,
): number | undefined {
  if (sink.earlier) return sink.earlier(draft);
  sink.record(draft);
  return undefined;
}

/**
 * Interprets wire events. Depends only on the events so far: no clock (events have times), no I/O. One interpreter reads one run, from its first event
 * to its last.
 */
export interface Interpreter {
  /** @param log what `readLog` returned for this event, if other lines were read since */
  accept(event: WireEvent, log?: LogLine): void;
  /**
   * Reads a log message from the bytes of its line, without accepting it. Calling it again for the same line, or accepting the line, is free.
   * @returns `undefined` if the line has to be parsed
   */
  readLog?(line: WireMessage): LogLine | undefined;
  /** Reports that nothing has crossed until this time, in milliseconds since the epoch. Completes pending records. */
  quiet(t: number): void;
  /** Reports the time of the next event, to complete what the pause before it completes. Default: nothing, because a saved session has no pauses. */
  pause?(t: number): void;
  /** True if facts of earlier lines wait for the next event. */
  readonly holdsFacts?: boolean;
  /** Completes what precedes this event, which is accepted next: it is judged before the event changes anything. */
  complete?(event: WireEvent): void;
  /**
   * Reports that no more events will be read, though more may have crossed. Completes pending records at `t`, without treating open work as having
   * lasted until then. Default: `quiet`.
   */
  finish?(t: number): void;
  /**
   * Writes the next step of what came in another order: a reading of its own, so that its records are known as its own.
   * @param isEnd true at the end of the file; otherwise only what is due is written
   * @returns false if nothing was
   */
  writeStep?(isEnd: boolean): boolean;
  /** True if something is waiting for more events, or for quiet. */
  readonly isWaiting: boolean;
}
