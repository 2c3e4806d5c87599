import type { RunProtocol } from '../../wire/protocol';
import type { Line } from '../../text/bytes/line';
import { isJson } from '../../text/jsonText';
import { oneLine } from '../../text/text';
import type { Termination } from '../../wire/termination';
import { interpretation, unjudged } from './interpretation';
import { agentHost, isTraceLine, protocolOfFile, recognise } from '../../agents/reading/recognise';
import { SavedClock } from '../../agents/reading/saved/savedTime';
import { ClientLog } from '../../wire/journal/clientLog';
import { isNewerJournal, readJournalHeader } from '../../wire/journal/journalLine';
import type { JournalHeader } from '../../wire/journal/journalLine';
import { isJournalPart, JournalReader } from '../../wire/journal/journalReader';
import type { WireEvent } from '../../wire/wireEvent';
import { jsonValueOf } from '../../wire/jsonValue';
import { WireLine } from '../../wire/wireLine';
import type { LineRedactor } from './redactEvent';
import type { LineForm, ReadTally } from './readTally';
import { isBinary } from './readTally';
import { redactedSink } from './forwardingSink';
import { redactedLine } from './redactEvent';
import type { DiagnosisSink } from '../../diagnosis/sessionSummary';
import { RunReader } from './runReader';
import { WaitingLogs } from './waitingLogs';

/** Receives what is read from a file: records and sessions, and finally how the run ended. */
export interface LogSink extends DiagnosisSink {
  /** Called before anything is read. */
  readFrom?(reader: Pick<LogReader, 'hasArrivalTimes'>): void;
  /** Called when another run begins. */
  begin(): void;
  end(name: string, termination: Termination, at: number): void;
}

export interface LogReaderOptions {
  /** Overrides the protocol in the file. */
  readonly protocol?: RunProtocol | undefined;
  /** Redacts secrets: our journals are redacted already, but any file can be opened. */
  readonly redactor: LineRedactor | undefined;
  /** False if only facts are needed; default: problems are found, too. */
  readonly isJudged?: boolean;
  /** Counts what was read, and what was not. */
  readonly tally?: ReadTally | undefined;
}

/** Assumed pause at the end of a file, in milliseconds: completes chunked messages, but is too short for timeouts. */
const aMoment = 5000;
/** Number of lines to examine to recognize a file. */
const linesToRecognise = 20;

/** Reads the lines of a journal, a recorded transcript, a command-line agent's output, or a log. */
export class LogReader {
  private form: 'unknown' | 'journal' | 'lines' | 'client-log' = 'unknown';
  private clientLog = new ClientLog();
  /** For a saved session, whose lines have their own times. */
  private clock: SavedClock | undefined;
  /** The lines to recognize the file by, and when they were read. */
  private first: { readonly line: Line; readonly now: number }[] = [];
  private protocol: RunProtocol = 'acp';
  /** Whether most lines aren't JSON. */
  private isText = false;
  private run: RunReader | undefined;
  private current: JournalHeader | undefined;
  private isEndReported = false;
  private readonly waiting = new WaitingLogs();
  private readonly journal = new JournalReader((message) => this.run?.readLog(message) !== undefined);

  constructor(
    private readonly sink: LogSink,
    private readonly options: LogReaderOptions,
  ) {}

  /** The newest header, if any. */
  get header(): JournalHeader | undefined {
    return this.current;
  }

  /** True if its lines have arrival times. Otherwise the time of reading is used. */
  get hasArrivalTimes(): boolean {
    return this.form === 'journal' || this.form === 'client-log' || this.clock !== undefined;
  }

  /** True if a journal's run has ended, after which nothing follows. */
  get hasEnded(): boolean {
    return this.isEndReported && this.current !== undefined;
  }

  /** True if a journal's run hasn't ended, as far as it was read. */
  get lacksEnd(): boolean {
    return this.current !== undefined && !this.isEndReported;
  }

  /** @param now when it was read, in milliseconds since the epoch; used for lines without a time */
  line(line: Line, now: number): void {
    if (line.isBlank) return;
    if (this.form !== 'unknown') return this.read(line, now);
    this.first.push({ line, now });
    if (this.first.length >= linesToRecognise) this.recognise();
  }

  /** Called when more arrives after the end: a file without arrival times uses the current time from now on. */
  resume(now: number): void {
    this.recognise();
    this.flush();
    if (!this.hasArrivalTimes) this.run?.resume(now);
  }

  /** Reports that nothing more has arrived until now. */
  quiet(now: number): void {
    this.settle();
    if (this.run?.isWaiting === true) this.run.quiet(now);
    this.reportEnd();
  }

  /** Reports a short pause. How long ago the file was written, and whether its writer is still running, is unknown. */
  pause(): void {
    this.settle();
    if (this.run?.isWaiting === true) this.run.quiet(this.run.endedAt + aMoment);
    this.reportEnd();
  }

  /** Called when the file ended within a JSON document, or only within its list: programs that write traces needn't end that. */
  documentCut(where: 'message' | 'list'): void {
    if (where === 'message' || this.form === 'client-log') this.options.tally?.documentCut();
  }

  /** Called when the file starts over. */
  restart(): void {
    this.complete();
    this.options.tally?.restart();
    this.form = 'unknown';
    this.clientLog = new ClientLog();
    this.clock = undefined;
    this.forget();
  }

  /** Writes the next step of what waits for the end of the file, as all of it may take long. Returns false if there is none. */
  writeStep(): boolean {
    this.flush();
    return this.run?.writeStep() ?? false;
  }

  /** Completes pending records. */
  complete(): void {
    this.settle();
    this.run?.finish();
    this.reportEnd();
  }

  /** Passes on the log messages that wait for others; see `WaitingLogs`. */
  flush(): void {
    if (!this.waiting.isEmpty) this.run?.acceptLogs(this.waiting.take());
  }

  /** Recognizes the file from what has been read, however short. */
  recognise(): void {
    const { first } = this;
    if (first.length === 0) return;
    this.first = [];
    const texts = first.map(({ line }) => line.text);
    if (isNewerJournal(texts[0] ?? '')) this.options.tally?.newerForm();
    const found = recognise(texts);
    const isJournal = ['journal', 'transcript', agentHost].includes(found.type);
    this.form = isJournal ? 'journal' : found.type === 'client-log' ? found.type : 'lines';
    this.isText = found.type === 'text';
    this.protocol = this.options.protocol ?? protocolOfFile(found);
    if (this.protocol === 'saved' || (this.form === 'lines' && this.protocol === 'stream-json')) {
      const clock = new SavedClock(first.map(({ line }) => jsonValueOf(line.text).msg));
      // Some agents' streams have no times.
      if (this.protocol === 'saved' || clock.isKnown) this.clock = clock;
    }
    for (const { line, now } of first) this.read(line, now);
  }

  private read(line: Line, now: number): void {
    const { bytes } = line;
    const { tally } = this.options;
    if (this.form === 'lines') {
      tally?.text(line.text, { isCut: bytes !== undefined, form: this.lineForm });
      if (this.protocol === 'log' && isTraceLine(line.text)) this.readAs('trace');
      return this.accept(this.lineOf(line, now));
    }
    const isWhole = bytes === undefined;
    if (this.form === 'client-log') {
      const events = isWhole && !isBinary(line.text) ? this.clientLog.read(line.text, now) : undefined;
      return events ? this.acceptAll(events) : this.unreadable(line.text, bytes);
    }
    const event = isWhole ? this.journal.read(line) : undefined;
    if (event) {
      tally?.event(event);
      return this.accept(event);
    }
    this.flush();
    const header = isWhole ? readJournalHeader(line.text) : undefined;
    if (header) {
      tally?.header();
      return this.begin(header);
    }
    this.unreadable(line.text, bytes);
  }

  /** Reads what waits for more, as nothing follows for now. */
  private settle(): void {
    this.recognise();
    this.acceptAll(this.clientLog.end());
    this.flush();
  }

  private acceptAll(events: readonly WireEvent[]): void {
    for (const event of events) {
      this.options.tally?.event(event);
      this.accept(event);
    }
  }

  private get lineForm(): LineForm {
    const { protocol } = this;
    if (protocol !== 'log') return protocol === 'saved' ? protocol : 'stream';
    return this.isText ? 'text' : protocol;
  }

  private lineOf(line: Line, now: number): WireLine {
    const { bytes } = line;
    if (!this.clock) return new WireLine(now, 'a2c', line, bytes);
    const { msg } = bytes === undefined ? jsonValueOf(line.text) : {};
    return WireLine.of(this.clock.timeOf(msg) ?? now, 'a2c', line.text, { msg, bytes });
  }

  /** Reads the rest as another protocol: a program may log a lot before its first span. */
  private readAs(protocol: RunProtocol): void {
    this.flush();
    this.run?.finish();
    this.run = undefined;
    this.protocol = protocol;
  }

  private begin(header: JournalHeader): void {
    const goesOn = header.startedAt === this.current?.startedAt && header.agent === this.current.agent;
    if (!goesOn && this.run) {
      this.complete();
      if (this.lacksEnd) this.options.tally?.endMissing();
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
    const log = event.dir === 'a2c' ? this.run.readLog(event) : undefined;
    if (log && event.dir === 'a2c') {
      this.waiting.add(event, log);
      if (this.waiting.isFull) this.flush();
      return;
    }
    this.flush();
    this.run.accept(event);
    if (event.dir === 'ev' && this.run.tracker.isComplete) this.complete();
  }

  private newRun(): RunReader {
    const { redactor, isJudged = true } = this.options;
    const steps = (isJudged ? interpretation : unjudged)(this.protocol, redactedSink(this.sink, redactor));
    return new RunReader(this.sink, steps, { redactor });
  }

  /** Called once: if a journal says more about its end than the exit, that follows the exit. */
  private reportEnd(): void {
    if (this.isEndReported || this.run?.tracker.isOver !== true) return;
    this.isEndReported = true;
    this.run.finish();
    const { termination, endedAt } = this.run;
    const name = redactedLine(this.current?.agent ?? 'The agent', this.options.redactor);
    if (termination) this.sink.end(name, termination, endedAt);
  }

  /** Reports a line that was cut when its writer died, or isn't a journal line. Notes of a transcript's recorder are skipped. */
  private unreadable(text: string, bytes: number | undefined): void {
    if (bytes === undefined && isJournalPart(text)) return;
    // Not if it was cut, and the next line follows it.
    if (/^\{"t":"[^"]*","ms":\d+,"dir":"ev",/.test(text) && isJson(text)) return;
    this.options.tally?.unknown();
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
