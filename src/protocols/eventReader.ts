import type { RecordDraft } from '../text/record';
import { oneLine } from '../text/text';
import type { WireEvent, WireMessage, WireProcessEvent, WireStderr } from '../wire/wireEvent';
import type { Fact } from '../work/facts';
import type { Work, WorkEnd } from '../work/work';
import { Facts } from './facts';
import type { Interpreter, InterpreterSink, ReaderContext } from './interpreter';
import { recordEarlier } from './interpreter';
import { asksToEnd, isEnd, lifecycleRecord } from './lifecycle';
import { StderrEntries } from './stderr/stderrEntries';
import { boundedJson } from '../text/boundedJson';
import { jsonText } from '../text/jsonText';

/** Base of all readers: reads stderr as entries, and records process and connection events. */
export abstract class EventReader implements Interpreter {
  protected readonly stderr: StderrEntries;
  /** True once the user or the client asked the agent to end, so that its exit is not an error. */
  protected askedToEnd = false;
  protected readonly sink: InterpreterSink;
  protected readonly work: Work;
  private readonly facts: Facts;

  constructor({ sink, work }: ReaderContext) {
    this.sink = sink;
    this.work = work;
    this.facts = new Facts(sink, work);
    this.stderr = new StderrEntries((entry, draft) => {
      const record = this.earlier(this.stderrRecord(draft));
      this.say({ type: 'stderr', event: entry.event, entry, record });
    });
  }

  accept(event: WireEvent): void {
    this.complete(event);
    switch (event.dir) {
      case 'ev':
        return this.acceptProcessEvent(event);
      case 'err':
        return this.acceptStderr(event);
      default:
        return this.acceptLine(event);
    }
  }

  get holdsFacts(): boolean {
    return this.stderr.isWaiting;
  }

  complete({ t, dir }: WireEvent): void {
    // A pause completes some records; they precede the next event, both live and when a journal is read.
    this.quiet(t);
    // A stack trace is written in one go, so any other line ends it.
    if (dir !== 'err') this.stderr.complete();
  }

  quiet(t: number): void {
    this.stderr.quiet(t);
  }

  pause(t: number): void {
    this.quiet(t);
  }

  get isWaiting(): boolean {
    return this.stderr.isWaiting;
  }

  /** Handles a line of stdin or stdout. */
  protected abstract acceptLine(event: WireMessage): void;

  protected acceptStderr(event: WireStderr): void {
    this.stderr.add(event);
  }

  protected stderrRecord(draft: RecordDraft): RecordDraft {
    return draft;
  }

  /** Called for each process or connection event before its record is made. Returns true if a record was made instead. */
  protected acceptConnectionEvent(_event: WireProcessEvent): boolean {
    return false;
  }

  /** Called when no more responses can come. What is open ends afterwards: see `Work.end`. */
  protected acceptEnd(_event: WireProcessEvent): void {
    // Nothing is open.
  }

  /** See `recordEarlier`. */
  protected earlier(draft: RecordDraft): number | undefined {
    return recordEarlier(this.sink, draft);
  }

  /** See `Facts`. */
  protected say(fact: Fact): WorkEnd | undefined {
    return this.facts.say(fact);
  }

  private acceptProcessEvent(event: WireProcessEvent): void {
    this.askedToEnd ||= asksToEnd(event);
    const record = this.acceptConnectionEvent(event) ? undefined : lifecycleRecord(event, this.askedToEnd);
    if (record) this.sink.record(record);
    this.say({ type: 'process', event });
    if (isEnd(event)) this.acceptEnd(event);
  }
}

/** Text of the record for a line over the size limit. */
export function describeTooLong({ bytes = 0, line }: WireMessage): string {
  return `a line of ${bytes} bytes is too long to be read; it begins: ${oneLine(line, 200)}`;
}

/** Maximum number of messages to read from one batch. */
const maxMessages = 1000;

/** The messages in a batch (JSON-RPC 2.0 section 6). */
export interface Batch {
  /** Each message gets its own line; sharing the whole line would multiply its size by the number of messages. */
  readonly messages: readonly WireMessage[];
  /** Number of messages that were skipped. */
  readonly left: number;
}

/** `undefined` if the line isn't a batch. */
export function batchOf(event: WireMessage): Batch | undefined {
  const { t, dir, msg, bytes } = event;
  if (!Array.isArray(msg)) return undefined;
  const messages = msg.slice(0, maxMessages).map((one: unknown): WireMessage => ({
    t,
    dir,
    bytes,
    line: jsonText(one) ?? boundedJson(one),
    msg: one,
  }));
  return { messages, left: msg.length - messages.length };
}

export function describeLeft(left: number): string {
  return `${left} more ${left === 1 ? 'message' : 'messages'} in this batch: only the first ${maxMessages} are read`;
}
