import type { Line } from '../../log/bytes/line';
import { oneLine } from '../../log/text';
import type { Termination } from '../../log/termination';
import { diagnosedInterpreter } from '../../diagnosis/diagnosedInterpreter';
import { recognise } from '../../protocols/recognise';
import { SavedClock } from '../../protocols/saved/savedTime';
import { readJournalHeader } from '../../wire/journal/journalHeader';
import type { JournalHeader } from '../../wire/journal/journalLine';
import { isJournalPart, JournalReader } from '../../wire/journal/journalReader';
import type { WireEvent } from '../../wire/wireEvent';
import { jsonValueOf } from '../../wire/jsonValue';
import { WireLine } from '../../wire/wireLine';
import type { LineRedactor } from './redactEvent';
import { redactedSink } from './redactedSink';
import { redactedLine } from './redactEvent';
import type { RunSink } from './runReader';
import { RunReader } from './runReader';

/** Takes what is read from a file: records and sessions, and at last how the run ended. */
export interface LogSink extends RunSink {
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
/** How many lines are looked at to recognise a file. */
const linesToRecognise = 20;

interface TimedLine {
  readonly line: Line;
  /** When it was read, in milliseconds since the epoch. */
  readonly now: number;
}

/** Reads the lines of a journal, of a recorded transcript, of the output of an agent's command line, or of a log. */
export class LogReader {
  private form: 'unknown' | 'journal' | 'lines' = 'unknown';
  /** Of a saved session, whose lines say when they were written. */
  private clock: SavedClock | undefined;
  private first: TimedLine[] = [];
  private protocol = 'acp';
  private run: RunReader | undefined;
  private current: JournalHeader | undefined;
  private isEndReported = false;
  private readonly journal = new JournalReader((message) => this.run?.readLog(message) !== undefined);

  constructor(
    private readonly sink: LogSink,
    private readonly options: LogReaderOptions,
  ) {}

  /** The newest header, if there is one. */
  get header(): JournalHeader | undefined {
    return this.current;
  }

  /** Whether its lines say when they came. Otherwise that is when they are read. */
  get hasArrivalTimes(): boolean {
    return this.form === 'journal' || this.clock !== undefined;
  }

  /** Whether the run of a journal has ended: nothing comes after that. */
  get hasEnded(): boolean {
    return this.isEndReported && this.current !== undefined;
  }

  /** @param now when it was read, for lines that do not say when they were written: in milliseconds since the epoch */
  line(line: Line, now: number): void {
    if (line.isBlank) return;
    if (this.form !== 'unknown') return this.read(line, now);
    this.first.push({ line, now });
    if (this.first.length >= linesToRecognise) this.recognise();
  }

  /** It was read to its end, and now more comes: a file that does not say when its lines came is followed from now on. */
  resume(now: number): void {
    this.recognise();
    if (!this.hasArrivalTimes) this.run?.resume(now);
  }

  /** Nothing more has come until now. */
  quiet(now: number): void {
    this.recognise();
    if (this.run?.isWaiting === true) this.run.quiet(now);
    this.reportEnd();
  }

  /** Nothing more has come for a moment. How long ago the file was written, and whether its writer is still there, is unknown. */
  pause(): void {
    this.recognise();
    if (this.run?.isWaiting === true) this.run.quiet(this.run.endedAt + aMoment);
    this.reportEnd();
  }

  /** The file begins anew. */
  restart(): void {
    this.complete();
    this.form = 'unknown';
    this.clock = undefined;
    this.forget();
  }

  /** What waits for more is complete. */
  complete(): void {
    this.recognise();
    this.run?.finish();
    this.reportEnd();
  }

  /** Everything that is there was read: decides what the file is, however short it is. */
  recognise(): void {
    const { first } = this;
    if (first.length === 0) return;
    this.first = [];
    const found = recognise(first.map(({ line }) => line.text));
    const isJournal = found.type === 'journal' || found.type === 'transcript';
    this.form = isJournal ? 'journal' : 'lines';
    const spoken = isJournal ? found.protocol : found.type === 'text' ? 'log' : found.type;
    this.protocol = this.options.protocol ?? spoken ?? 'acp';
    if (this.protocol === 'saved') this.clock = new SavedClock(first.map(({ line }) => jsonValueOf(line.text).msg));
    for (const { line, now } of first) this.read(line, now);
  }

  private read(line: Line, now: number): void {
    const { bytes } = line;
    if (this.form === 'lines') return this.accept(this.lineOf(line, now));
    const isWhole = bytes === undefined;
    const event = isWhole ? this.journal.read(line) : undefined;
    if (event) return this.accept(event);
    const header = isWhole ? readJournalHeader(line.text) : undefined;
    if (header) return this.begin(header);
    this.unreadable(line.text, bytes);
  }

  private lineOf(line: Line, now: number): WireLine {
    const { bytes } = line;
    if (!this.clock) return new WireLine(now, 'a2c', line, bytes);
    const { msg } = bytes === undefined ? jsonValueOf(line.text) : {};
    return WireLine.of(this.clock.timeOf(msg) ?? now, 'a2c', line.text, { msg, bytes });
  }

  private begin(header: JournalHeader): void {
    const goesOn = header.startedAt === this.current?.startedAt && header.agent === this.current.agent;
    if (!goesOn && this.run) {
      this.complete();
      this.forget();
    }
    this.current = header;
  }

  private forget(): void {
    if (this.run) this.sink.begin();
    this.run = undefined;
    this.current = undefined;
    this.isEndReported = false;
  }

  private accept(event: WireEvent): void {
    this.run ??= this.newRun();
    this.run.accept(event);
    if (event.dir === 'ev' && this.run.tracker.isComplete) this.complete();
  }

  private newRun(): RunReader {
    const { redactor } = this.options;
    const interpreter = diagnosedInterpreter(this.protocol, redactedSink(this.sink, redactor));
    return new RunReader(this.sink, interpreter, { redactor });
  }

  /** Once: if a journal says more of its end than the exit, that follows the exit. */
  private reportEnd(): void {
    if (this.isEndReported || this.run?.tracker.isOver !== true) return;
    this.isEndReported = true;
    this.run.finish();
    const { termination, endedAt } = this.run;
    if (termination) this.sink.end(this.current?.agent ?? 'The agent', termination, endedAt);
  }

  /** A line that was cut when its writer died, or isn't of a journal. Notes of a transcript's recorder are skipped. */
  private unreadable(text: string, bytes: number | undefined): void {
    if (bytes === undefined && isJournalPart(text)) return;
    if (/^\{"t":"[^"]*","ms":\d+,"dir":"ev",/.test(text) && text.endsWith('}')) return;
    const what = bytes === undefined ? 'a line that cannot be read' : `a line of ${bytes} bytes, too long to be read`;
    const receivedAt = this.run?.endedAt ?? 0;
    const line = redactedLine(text, this.options.redactor, 'err');
    this.sink.record({
      receivedAt,
      level: 'warning',
      kind: 'activity',
      logger: 'agent-logs',
      message: `${what}: ${oneLine(line, 200)}`,
    });
  }
}
