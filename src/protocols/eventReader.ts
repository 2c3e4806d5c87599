import type { RecordDraft } from '../log/record';
import { oneLine } from '../log/text';
import type { WireEvent, WireMessage, WireProcessEvent } from '../wire/wireEvent';
import type { Fact } from './facts';
import { factOf } from './facts';
import type { Interpreter, InterpreterSink } from './interpreter';
import { asksToEnd, isEnd, lifecycleRecord } from './lifecycle';
import { StderrGroups } from './stderr/stderrGroups';

/** What all readers share: they group the lines of standard error, and record what happens to the process or the connection. */
export abstract class EventReader implements Interpreter {
  protected readonly stderr: StderrGroups;
  /** Whether we asked it to end: what ends then is no fault. */
  protected askedToEnd = false;

  constructor(protected readonly sink: InterpreterSink) {
    this.stderr = new StderrGroups((draft) => sink.record(this.stderrRecord(draft)));
  }

  accept(event: WireEvent): void {
    // A pause ends some records; they come before the next one, live and when a journal is read.
    this.quiet(event.t);
    // A stack trace is written in one go: any other line ends it.
    if (event.dir !== 'err') this.stderr.complete();
    switch (event.dir) {
      case 'ev':
        return this.acceptProcessEvent(event);
      case 'err':
        this.stderr.add(event);
        return this.fact(factOf(event));
      default:
        return this.acceptLine(event);
    }
  }

  quiet(t: number): void {
    this.stderr.quiet(t);
  }

  get isWaiting(): boolean {
    return this.stderr.isWaiting;
  }

  /** A line of standard input or output. */
  protected abstract acceptLine(event: WireMessage): void;

  protected stderrRecord(draft: RecordDraft): RecordDraft {
    return draft;
  }

  /** Called for each change of the process or the connection, before its record. Returns whether a record was made instead. */
  protected acceptConnectionEvent(_event: WireProcessEvent): boolean {
    return false;
  }

  /** From here on nothing can be answered. */
  protected acceptEnd(_event: WireProcessEvent): void {
    // Nothing is open.
  }

  protected fact(fact: Fact): void {
    this.sink.fact?.(fact);
  }

  private acceptProcessEvent(event: WireProcessEvent): void {
    this.askedToEnd ||= asksToEnd(event);
    const record = this.acceptConnectionEvent(event) ? undefined : lifecycleRecord(event, this.askedToEnd);
    if (record) this.sink.record(record);
    this.fact(factOf(event));
    if (isEnd(event)) this.acceptEnd(event);
  }
}

/** The text of a record about a line that was too long to be held. */
export function describeTooLong({ bytes = 0, line }: WireMessage): string {
  return `a line of ${bytes} bytes is too long to be read; it begins: ${oneLine(line, 200)}`;
}
