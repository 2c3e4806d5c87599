import type { RunProtocol } from '../../wire/protocol';
import { Diagnoser } from '../../diagnosis/diagnoser';
import { ruleSetFor } from '../../diagnosis/ruleSets';
import type { DiagnosisSink } from '../../diagnosis/sessionSummary';
import type { Timeouts } from '../../diagnosis/timeouts';
import { isProtocol } from '../../wire/protocol';
import type { EndCause } from '../../wire/termination';
import { isEnd } from '../../protocols/lifecycle';
import type { LogLine } from '../../protocols/logLine/logLine';
import type { Reading } from '../../protocols/protocolReader';
import { interpreterFor } from '../../agents/reading/interpreterFor';
import { ProtocolReader } from '../../protocols/protocolReader';
import type { WireEvent, WireMessage, WireProcessEvent } from '../../wire/wireEvent';

/** Says what the wire events of a run mean. Depends only on the events so far: no clock (events have times), no I/O. */
export interface Interpretation {
  /**
   * @param log what `readLog` returned for this event, if other lines were read since
   * @throws what a bug throws, after what was read before it was passed on
   */
  accept(event: WireEvent, log?: LogLine): void;
  /** See `ProtocolReader`. */
  readLog(line: WireMessage): LogLine | undefined;
  /** Reports that nothing has crossed until this time, in milliseconds since the epoch. Completes pending records. */
  quiet(t: number): void;
  /** Writes the next step of what waits for the end of a file. Returns false if there is none. */
  writeStep?(): boolean;
  /**
   * Reports that no more events will be read, though more may have crossed. Completes pending records at `t`, without treating open work as having
   * lasted until then.
   */
  finish(t: number): void;
  /** Reports the time of the next event, in milliseconds since the epoch, if the times of all earlier events are unknown. */
  resume(t: number): void;
  /** True if something is waiting for more events, or for quiet. */
  readonly isWaiting: boolean;
  /** Why the process ended unexpectedly, if known. */
  readonly endCause: EndCause | undefined;
  /** What is wrong with the response to `initialize`, until a usable one arrives. */
  readonly unusableAnswer: EndCause | undefined;
}

/**
 * The steps of a run's events: they are read, passed on, and then judged, if their protocol has rules.
 * @param protocol named in settings or journals, `log` for any program's log, or `saved`
 */
export function interpretation(protocol: RunProtocol, sink: DiagnosisSink, timeouts?: Timeouts): Interpretation {
  // Pauses mean little in a saved session: some agents write nothing if a turn is interrupted.
  const rules =
    protocol === 'saved' || protocol === 'trace'
      ? ruleSetFor('stream-json', endless)
      : isProtocol(protocol)
        ? ruleSetFor(protocol, timeouts)
        : undefined;
  return new Steps(protocol, sink, rules && new Diagnoser(sink, rules));
}

/** The steps of a run's events without judging them, for sinks that only need facts: they have work of their own. */
export function unjudged(protocol: RunProtocol, sink: DiagnosisSink): Interpretation {
  return new Steps(protocol, sink, undefined);
}

const endless: Timeouts = { answer: Infinity, turn: Infinity, slow: Infinity, tool: Infinity, person: Infinity };

const none: number[] = [];

class Steps implements Interpretation {
  private readonly reader: ProtocolReader;

  constructor(
    protocol: RunProtocol,
    private readonly sink: DiagnosisSink,
    private readonly diagnoser: Diagnoser | undefined,
  ) {
    this.reader = new ProtocolReader((context) => interpreterFor(protocol, context), sink.work, {
      takesLines: sink.takesLines ?? false,
      needsFact: (log) => diagnoser?.needsLog(log) ?? false,
    });
  }

  accept(event: WireEvent, log?: LogLine): void {
    const { diagnoser } = this;
    if (diagnoser?.reach(event.t, log !== undefined) === true) {
      // What a pause completes precedes what has lasted too long, as it does live.
      this.pass(this.reader.pause(event.t));
      diagnoser.before(event);
    }
    const completed = this.reader.complete(event);
    if (completed) this.pass(completed);
    const reading = this.reader.read(event, log);
    if (!this.passLog(reading)) this.pass(reading, event);
    if (event.dir === 'ev' && isEnd(event)) this.endWork(event);
    while (this.writeStep(false));
  }

  readLog(line: WireMessage): LogLine | undefined {
    return this.reader.readLog(line);
  }

  quiet(t: number): void {
    while (this.writeStep());
    this.pass(this.reader.quiet(t));
    this.diagnoser?.quiet(t);
  }

  writeStep(isEnd = true): boolean {
    const reading = this.reader.step(isEnd);
    // Its own event, so that its records are evidence.
    if (reading) this.pass(reading, reading.facts[0]?.event);
    return reading !== undefined;
  }

  finish(t: number): void {
    while (this.writeStep());
    this.pass(this.reader.finish(t));
    this.diagnoser?.finish();
  }

  resume(t: number): void {
    for (const turn of this.sink.work.turns) turn.isFollowed = false;
    this.diagnoser?.resume(t);
  }

  get isWaiting(): boolean {
    return this.reader.isWaiting || this.diagnoser?.isWaiting === true;
  }

  get endCause(): EndCause | undefined {
    return this.diagnoser?.endCause;
  }

  get unusableAnswer(): EndCause | undefined {
    return this.diagnoser?.unusableAnswer;
  }

  /** Passes on a log message that says nothing else, as nearly all of a flood do. Returns whether the reading is one. */
  private passLog({ records, sessions, facts, failure }: Reading): boolean {
    const [log] = records;
    if (log?.chunk === undefined || records.length > 1) return false;
    if (facts.length > 0 || sessions.length > 0 || failure) return false;
    this.sink.record(log);
    this.diagnoser?.logged(log, this.sink.lastSeq);
    return true;
  }

  /** The process ended, so its running turns end unanswered. */
  private endWork(event: WireProcessEvent): void {
    const { work } = this.sink;
    for (const turn of work.turns) {
      const end = work.giveUp(turn, event);
      this.diagnoser?.turnEnded(end);
    }
    work.end(event.t);
    work.reach(this.sink.lastSeq);
    this.diagnoser?.ended(event.t);
  }

  private pass(reading: Reading, event?: WireEvent): void {
    const { sink } = this;
    const seqs = reading.records.length > 0 ? [] : none;
    for (const change of reading.sessions) sink.session(change);
    for (const draft of reading.records) {
      sink.record(draft);
      seqs.push(sink.lastSeq);
    }
    if (reading.facts.length > 0) sink.work.reach(sink.lastSeq);
    if (sink.fact) for (const fact of reading.facts) sink.fact(fact);
    if (reading.failure) throw reading.failure.error;
    this.diagnoser?.see(reading, seqs, event);
  }
}
