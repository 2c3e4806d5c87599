import type { RecordDraft } from '../text/record';
import type { WireEvent, WireMessage } from '../wire/wireEvent';
import type { Fact } from '../work/facts';
import type { Work, WorkEnd } from '../work/work';
import type { Interpreter, InterpreterSink, ReaderContext, SessionChange } from './interpreter';
import type { LogLine } from './logLine/logLine';

/** What an event means. Valid until the next one is read. */
export interface Reading {
  /** A `LogLine` that is kept would keep its whole chunk. */
  readonly records: readonly (RecordDraft | LogLine)[];
  /** Index of the first record of this event; others may complete earlier lines. */
  readonly own: number | undefined;
  readonly sessions: readonly SessionChange[];
  readonly facts: readonly Fact[];
  /** What a fact ended, if anything. */
  readonly ends: ReadonlyMap<Fact, WorkEnd>;
  /** Why the rest couldn't be read. */
  readonly failure: { readonly error: unknown } | undefined;
}

/** How log messages are read from their bytes. */
export interface LogPolicy {
  /** True if log messages may be records as a `LogLine`. False: all are drafts. */
  readonly takesLines: boolean;
  /** True if the fact of this log message is needed, so that its line must be parsed. */
  needsFact(log: LogLine): boolean;
}

/** Reads the wire events of a run as its protocol says. Depends only on the events so far: no clock (events have times), no I/O. */
export class ProtocolReader {
  private readonly reading: CollectedReading;
  private readonly interpreter: Interpreter;

  /** @param interpreter makes the interpreter of the run's protocol */
  constructor(interpreter: (context: ReaderContext) => Interpreter, work: Work, policy: LogPolicy) {
    this.reading = new CollectedReading(policy);
    this.interpreter = interpreter({ sink: this.reading, work });
  }

  /** @param log what `readLog` returned for this event, if other lines were read since */
  read(event: WireEvent, log?: LogLine): Reading {
    const { reading } = this;
    reading.clear();
    // Most events are log messages in floods, for which a closure would take time.
    try {
      this.interpreter.accept(event, log);
    } catch (error) {
      reading.failure = { error };
    }
    return reading;
  }

  /**
   * Reads a log message from the bytes of its line, without accepting it. Calling it again for the same line, or reading the line, is free.
   * @returns `undefined` if the line has to be parsed
   */
  readLog(line: WireMessage): LogLine | undefined {
    return this.interpreter.readLog?.(line);
  }

  /** The next event has this time, in milliseconds since the epoch: what the pause before it completes. */
  pause(t: number): Reading {
    return this.collect(() => this.interpreter.pause?.(t));
  }

  /** What the next event completes of what precedes it; `undefined` if no facts wait. */
  complete(event: WireEvent): Reading | undefined {
    const { interpreter } = this;
    if (interpreter.holdsFacts !== true) return undefined;
    return this.collect(() => interpreter.complete?.(event));
  }

  /** Nothing has crossed until this time, in milliseconds since the epoch, so some records are complete. */
  quiet(t: number): Reading {
    return this.collect(() => this.interpreter.quiet(t));
  }

  /** No more events will be read, though more may have crossed. */
  finish(t: number): Reading {
    const { interpreter } = this;
    return this.collect(() => (interpreter.finish ? interpreter.finish(t) : interpreter.quiet(t)));
  }

  /** The next step of what came in another order; `undefined` if there is none. See `Interpreter`. */
  step(isEnd: boolean): Reading | undefined {
    const { interpreter } = this;
    if (!interpreter.writeStep) return undefined;
    let isWritten = false as boolean;
    const reading = this.collect(() => (isWritten = interpreter.writeStep?.(isEnd) ?? false));
    return isWritten || reading.failure ? reading : undefined;
  }

  /** True if something is waiting for more events, or for quiet. */
  get isWaiting(): boolean {
    return this.interpreter.isWaiting;
  }

  /** What was read before a bug stopped it isn't lost. */
  private collect(read: () => void): Reading {
    const { reading } = this;
    reading.clear();
    try {
      read();
    } catch (error) {
      reading.failure = { error };
    }
    return reading;
  }
}

/** The only reading of its reader, used again for each event. */
class CollectedReading implements InterpreterSink, Reading {
  readonly records: (RecordDraft | LogLine)[] = [];
  own: number | undefined;
  readonly sessions: SessionChange[] = [];
  readonly facts: Fact[] = [];
  readonly ends = new Map<Fact, WorkEnd>();
  failure: { readonly error: unknown } | undefined;

  constructor(private readonly policy: LogPolicy) {}

  get takesLines(): boolean {
    return this.policy.takesLines;
  }

  needsFact(log: LogLine): boolean {
    return this.policy.needsFact(log);
  }

  clear(): void {
    empty(this.records);
    empty(this.sessions);
    empty(this.facts);
    if (this.ends.size > 0) this.ends.clear();
    this.own = this.failure = undefined;
  }

  record(draft: RecordDraft | LogLine): void {
    this.own ??= this.records.length;
    this.records.push(draft);
  }

  earlier(draft: RecordDraft): number {
    return this.records.push(draft) - 1;
  }

  session(change: SessionChange): void {
    this.sessions.push(change);
  }

  fact(fact: Fact, ended: WorkEnd | undefined): void {
    this.facts.push(fact);
    if (ended) this.ends.set(fact, ended);
  }
}

/** Assigning a length is slow, even if it changes nothing. */
function empty(list: unknown[]): void {
  while (list.length > 0) list.pop();
}
