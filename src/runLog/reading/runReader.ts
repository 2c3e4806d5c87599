import { Emitter } from '../../text/emitter';
import type { RecordDraft } from '../../text/record';
import type { EndCause, Termination } from '../../wire/termination';
import { oneLine } from '../../text/text';
import type { DiagnosisSink } from '../../diagnosis/sessionSummary';
import type { Interpretation } from './interpretation';
import type { LogLine } from '../../protocols/logLine/logLine';
import { StderrExcerpts } from '../../protocols/stderr/stderrExcerpts';
import type { JournalWriter } from '../../wire/journal/journalWriter';
import type { WireEvent, WireMessage, WirePiece } from '../../wire/wireEvent';
import { messageOf } from '../../text/humanError';
import type { OnFault } from './faults';
import type { LineRedactor } from './redactEvent';
import { redactEvent, redactTermination } from './redactEvent';
import { TerminationTracker } from './terminationTracker';
import type { ReadLog } from './waitingLogs';

/** Long enough for everything pending to complete, in milliseconds. */
const longEnough = 3_600_000;

export interface RunReaderOptions {
  /** Redacts everything that is kept and shown. */
  readonly redactor: LineRedactor | undefined;
  /** Records everything that crosses. */
  readonly journal?: JournalWriter | undefined;
  /** Receives internal errors of Agent Logs. */
  readonly onFault?: OnFault;
}

/** Reads the wire events of a run, live or past: redacts and interprets them, and passes them to the journal and to listeners. */
export class RunReader {
  private readonly eventEmitter = new Emitter<WireEvent>();
  /** Fires for every wire event. A listener that keeps one must read its `line` immediately, because the event may retain its whole chunk until then. */
  readonly onEvent = this.eventEmitter.event;
  readonly tracker = new TerminationTracker();
  private readonly stderr = new StderrExcerpts();
  private lastAt = 0;
  /** Whether nothing came since `finish`. */
  private isFinished = false;

  constructor(
    private readonly sink: DiagnosisSink,
    private readonly interpretation: Interpretation,
    private readonly options: RunReaderOptions,
  ) {}

  accept(raw: WireEvent): void {
    this.isFinished = false;
    const log = raw.dir === 'a2c' ? this.readLog(raw) : undefined;
    const event = redactEvent(raw, this.options.redactor);
    if (event.t > this.lastAt) this.lastAt = event.t;
    if (event.dir === 'ev') this.tracker.accept(event, this.sink.work.requests.unanswered);
    if (event.dir === 'err') this.stderr.add(event.line);
    this.interpret(event, event === raw ? log : undefined);
    // Only now is it known whether its bytes can be copied.
    this.write(event);
    this.eventEmitter.fire(event);
  }

  /** Accepts log messages, one step for all of them after the other. */
  acceptLogs(logs: readonly ReadLog[]): void {
    this.isFinished = false;
    const { redactor } = this.options;
    const events = logs.map(({ event }) => redactEvent(event, redactor));
    for (const [n, event] of events.entries()) {
      const read = logs[n];
      if (event.t > this.lastAt) this.lastAt = event.t;
      this.interpret(event, event === read?.event ? read.log : undefined);
    }
    for (const event of events) this.write(event);
    for (const event of events) this.eventEmitter.fire(event);
  }

  /** Writes an event to the journal. If that fails, the run continues. */
  write(event: WireEvent | WirePiece): void {
    try {
      this.options.journal?.write(event);
    } catch (error) {
      this.options.onFault?.(event.dir, error);
    }
  }

  /** Reads a log message from the bytes of its line, without accepting it; `undefined` if the line has to be parsed. */
  readLog(line: WireMessage): LogLine | undefined {
    try {
      return this.interpretation.readLog(line);
    } catch {
      return undefined; // The parser gets it.
    }
  }

  /** True if something is waiting for more lines, or for quiet. */
  get isWaiting(): boolean {
    return this.interpretation.isWaiting;
  }

  /** Writes the next step of what waits for the end of a file. Returns false if there is none. */
  writeStep(): boolean {
    try {
      return this.interpretation.writeStep?.() ?? false;
    } catch (error) {
      this.sink.record(unreadRecord(this.lastAt, error, undefined));
      return true;
    }
  }

  /** Reports that nothing more has arrived until now, in milliseconds since the epoch. */
  quiet(now: number): void {
    this.isFinished = false;
    try {
      this.interpretation.quiet(now);
    } catch (error) {
      this.sink.record(unreadRecord(now, error, undefined));
    }
  }

  /** Sets the time of the next event, in milliseconds since the epoch; the times of all earlier events are unknown. */
  resume(now: number): void {
    this.interpretation.resume(now);
  }

  /** Completes pending records, because no more events will come. A second call reports nothing again. */
  finish(): void {
    if (this.isFinished) return;
    this.isFinished = true;
    const at = this.lastAt + longEnough;
    this.interpretation.finish(at);
  }

  /** Time of the last event, in milliseconds since the epoch. */
  get endedAt(): number {
    return this.lastAt;
  }

  /** Why the process ended unexpectedly, if known. */
  get endCause(): EndCause | undefined {
    return this.interpretation.endCause;
  }

  /** What is wrong with an answer to `initialize` that can't be used, until a usable one comes. */
  get unusableAnswer(): EndCause | undefined {
    return this.interpretation.unusableAnswer;
  }

  /** Why the run ended; `undefined` if its events break off. */
  get termination(): Termination | undefined {
    return this.tracker.isOver ? this.finalTermination : undefined;
  }

  /** Why the run ended, now that it has. */
  get finalTermination(): Termination {
    const termination = this.tracker.termination(this.stderr.excerpt, this.endCause);
    return redactTermination(termination, this.options.redactor);
  }

  /** An interpreter bug must not end the run, so unread events are kept unchanged. */
  private interpret(event: WireEvent, log: LogLine | undefined): void {
    try {
      this.interpretation.accept(event, log);
    } catch (error) {
      this.sink.record(unreadRecord(event.t, error, 'line' in event ? event.line : undefined));
    }
  }
}

function unreadRecord(receivedAt: number, error: unknown, raw: string | undefined): RecordDraft {
  return {
    receivedAt,
    level: 'warning',
    kind: 'activity',
    message: `could not be read (${messageOf(error)})${raw === undefined ? '' : `: ${oneLine(raw, 200)}`}`,
    ...(raw !== undefined && { raw }),
  };
}
