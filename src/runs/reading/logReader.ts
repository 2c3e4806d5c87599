import type { ByteChunk } from '../../log/bytes/byteChunk';
import { oneLine } from '../../log/text';
import type { Termination } from '../../log/termination';
import { diagnosedInterpreter } from '../../diagnosis/diagnosedInterpreter';
import type { DiagnosisSink } from '../../diagnosis/sessionSummary';
import { recognise } from '../../protocols/recognise';
import { readJournalHeader } from '../../wire/journal/journalHeader';
import type { JournalHeader } from '../../wire/journal/journalLine';
import { isJournalPart, readJournalLine } from '../../wire/journal/journalLine';
import { JournalMessage } from '../../wire/journal/journalMessage';
import { jsonValueOf } from '../../wire/jsonValue';
import type { Line } from '../../wire/lines/lineReader';
import type { WireEvent } from '../../wire/wireEvent';
import { EventLog } from './eventLog';
import type { LineRedactor } from './redactEvent';
import { redactedSink } from './redactedSink';
import { redactEvent } from './redactEvent';

/** What is told of a run: records and sessions, and in the end how it ended. */
export interface LogSink extends DiagnosisSink {
  /** The first open request that the agent has not answered, if any. */
  readonly unanswered: string | undefined;
  /** Another run begins. */
  begin(): void;
  end(name: string, termination: Termination, at: number): void;
}

export interface LogReaderOptions {
  /** What it is, whatever the file says. */
  readonly protocol?: string | undefined;
  /** Takes secrets out; a journal of ours has none, but any file can be opened. */
  readonly redactor?: LineRedactor | undefined;
}

/** After this the pieces of a message are together, and nothing has lasted too long yet, in milliseconds. */
const aMoment = 5000;
/** So many lines are looked at to tell what a file is. */
const linesToRecognise = 20;

interface TimedLine extends Line {
  /** When it was read, in milliseconds since the epoch. */
  readonly now: number;
}

/** Reads the lines of a journal, of a recorded transcript, of what an agent's command line printed, or of a log. */
export class LogReader {
  private form: 'unknown' | 'journal' | 'lines' = 'unknown';
  private first: TimedLine[] = [];
  private reading = 'acp';
  private events: EventLog | undefined;
  private current: JournalHeader | undefined;
  private unanswered: string | undefined;
  private told = false;
  private readonly message = new JournalMessage();

  constructor(
    private readonly sink: LogSink,
    private readonly options: LogReaderOptions,
  ) {}

  /** The newest header, where there is one. */
  get header(): JournalHeader | undefined {
    return this.current;
  }

  /** Whether what it reads says when it came; else that is when it is read. */
  get tellsArrival(): boolean {
    return this.form === 'journal';
  }

  /** Whether the run of a journal has ended: nothing comes after that. */
  get hasEnded(): boolean {
    return this.told && this.current !== undefined;
  }

  /** A line of a journal, from its bytes. Answers whether it could be taken from them: all others are for `line`. */
  takeLine(chunk: ByteChunk, start: number, end: number): boolean {
    if (this.form !== 'journal' || !this.events) return false;
    const { message } = this;
    return message.find(chunk, start, end) && this.events.takeMessage(chunk, message.start, message.end, message.t);
  }

  /** @param now when it was read, for lines that do not say when they were written: in milliseconds since the epoch */
  line(line: Line, now: number): void {
    if (line.text.trim() === '') return;
    if (this.form !== 'unknown') return this.read(line, now);
    this.first.push({ ...line, now });
    if (this.first.length >= linesToRecognise) this.recognise();
  }

  /** It was read to its end, and now more comes: a file that does not say when its lines came is followed from now on. */
  resume(now: number): void {
    this.recognise();
    if (!this.tellsArrival) this.events?.resume(now);
  }

  /** Nothing more has come until now. */
  quiet(now: number): void {
    this.recognise();
    this.events?.quiet(now);
    this.tellEnd();
  }

  /** Nothing more has come for a moment: how long ago what was read was written, and whether by somebody who is still there, is not known. */
  pause(): void {
    this.recognise();
    if (this.events) this.events.quiet(this.events.endedAt + aMoment);
    this.tellEnd();
  }

  /** The file begins anew. */
  restart(): void {
    this.complete();
    this.form = 'unknown';
    this.forget();
  }

  /** What waits for more is complete. */
  complete(): void {
    this.recognise();
    this.events?.finish();
    this.tellEnd();
  }

  /** All that is there was read: what it is, is told by that, however little it be. */
  recognise(): void {
    const { first } = this;
    if (first.length === 0) return;
    this.first = [];
    const found = recognise(first.map(({ text }) => text));
    const isJournal = found.type === 'journal' || found.type === 'transcript';
    this.form = isJournal ? 'journal' : 'lines';
    const spoken = isJournal ? found.protocol : found.type === 'text' ? 'log' : found.type;
    this.reading = this.options.protocol ?? spoken ?? 'acp';
    for (const line of first) this.read(line, line.now);
  }

  private read({ text, bytes }: Line, now: number): void {
    const isWhole = bytes === undefined;
    if (this.form === 'lines') {
      return this.accept({ t: now, dir: 'a2c', line: text, ...(isWhole ? jsonValueOf(text) : { bytes }) });
    }
    const event = isWhole ? readJournalLine(text) : undefined;
    if (event) return this.accept(event);
    const header = isWhole ? readJournalHeader(text) : undefined;
    if (header) return this.begin(header);
    this.unreadable(text, bytes);
  }

  private begin(header: JournalHeader): void {
    const goesOn = header.startedAt === this.current?.startedAt && header.agent === this.current.agent;
    if (!goesOn && this.events) {
      this.complete();
      this.forget();
    }
    this.current = header;
  }

  private forget(): void {
    if (this.events) this.sink.begin();
    this.events = undefined;
    this.current = undefined;
    this.unanswered = undefined;
    this.told = false;
  }

  private accept(event: WireEvent): void {
    this.events ??= this.newEvents();
    // Its end closes what was open.
    const unanswered = event.dir === 'ev' ? this.sink.unanswered : undefined;
    this.events.accept(event);
    if (event.dir !== 'ev' || !this.events.isOver) return;
    this.unanswered ??= unanswered;
    if (this.events.isComplete) this.complete();
  }

  private newEvents(): EventLog {
    const { redactor } = this.options;
    return new EventLog(this.sink, diagnosedInterpreter(this.reading, redactedSink(this.sink, redactor)), redactor);
  }

  /** Once: where a journal says more of its end than the exit, that follows the exit. */
  private tellEnd(): void {
    if (this.told || this.events?.isOver !== true) return;
    this.told = true;
    this.events.finish();
    const termination = this.events.termination(this.unanswered);
    if (termination) this.sink.end(this.current?.agent ?? 'The agent', termination, this.events.endedAt);
  }

  /** A line that was cut when its writer died, or is none of a journal. The notes of whoever recorded a transcript are passed over. */
  private unreadable(text: string, bytes: number | undefined): void {
    if (bytes === undefined && isJournalPart(text)) return;
    if (/^\{"t":"[^"]*","ms":\d+,"dir":"ev",/.test(text) && text.endsWith('}')) return;
    const what = bytes === undefined ? 'a line that cannot be read' : `a line of ${bytes} bytes, too long to be read`;
    const receivedAt = this.events?.endedAt ?? 0;
    const { line } = redactEvent({ t: receivedAt, dir: 'err', line: text }, this.options.redactor);
    this.sink.record({
      receivedAt,
      level: 'warning',
      kind: 'activity',
      logger: 'agent-logs',
      message: `${what}: ${oneLine(line, 200)}`,
    });
  }
}
