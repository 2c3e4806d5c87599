import type { ByteChunk } from '../../log/bytes/byteChunk';
import { Emitter } from '../../log/emitter';
import type { Interpreter } from '../../protocols/interpreter';
import type { EndCause, StderrExcerpt } from '../../log/termination';
import { StderrExcerpts } from '../../protocols/stderr/stderrExcerpts';
import { groupGap } from '../../protocols/stderr/groupGap';
import type { JournalWriter } from '../../wire/journal/journalWriter';
import { LongLineCopy } from '../../wire/lines/longLineCopy';
import type { ProcessEvent, WireEvent, WirePiece } from '../../wire/wireEvent';
import type { OnFault } from './faults';
import { interpret, interpretLog, interpretQuiet } from './interpret';
import { QuickLines } from './quickLines';
import { TakenLine } from './takenLine';
import type { LineRedactor } from './redactEvent';
import { redactedLine, redactEvent } from './redactEvent';
import type { RunLog } from '../runLog';

/** How long after the last line it is looked whether more of it came, in milliseconds. */
const quietAfter = groupGap + 50;

/**
 * Takes the wire events of a run, has them interpreted, and hands them on to whoever else wants them. It never throws: a bug in the log must
 * neither keep a message from the client nor end the run.
 */
export class RunReader {
  private readonly eventEmitter = new Emitter<WireEvent>();
  /** Every wire event, as it comes. */
  readonly onEvent = this.eventEmitter.event;
  private readonly stderr = new StderrExcerpts();
  private readonly copies = new Map<WirePiece['dir'], LongLineCopy>();
  private readonly quickLines: QuickLines;
  private quietTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly log: RunLog,
    private readonly interpreter: Interpreter,
    private readonly now: () => number,
    private readonly redactor: LineRedactor | undefined,
    private readonly journal: JournalWriter | undefined,
    private readonly onFault: OnFault,
  ) {
    this.quickLines = new QuickLines(interpreter, redactor);
  }

  /** A line; many of them are told of together, by `flush`. */
  acceptLine(raw: WireEvent): void {
    try {
      this.readLine(raw);
    } catch (error) {
      this.onFault(raw.dir, error);
    }
  }

  private readLine(raw: WireEvent): void {
    const event = redactEvent(this.ended(raw), this.redactor);
    this.write(event);
    if (event.dir === 'err') this.stderr.add(event.line);
    interpret(event, this.interpreter, this.log);
    this.eventEmitter.fire(event);
    if (this.log.store.isOverfull) this.flush();
    this.waitForQuiet();
  }

  /** A line of the agent's output, from its bytes. Answers whether it could be taken from them: all others are for `acceptLine`. */
  takeLine(chunk: ByteChunk, start: number, end: number): boolean {
    const t = this.now();
    const line = this.quickLines.read(chunk, start, end, t);
    if (!line) return false;
    try {
      this.journal?.writeMessage(t, chunk, start, end);
      interpretLog(line, this.interpreter, this.log);
      if (this.eventEmitter.hasListeners) this.eventEmitter.fire(new TakenLine(t, chunk.bytes, start, end));
      if (this.log.store.isOverfull) this.flush();
    } catch (error) {
      this.onFault('a2c', error); // part of it may be logged
    }
    return true; // and a log message makes nothing wait for quiet
  }

  /** The next bytes of a line too long to be held; the line itself comes after them. */
  acceptPiece(dir: WirePiece['dir'], bytes: Buffer): void {
    const { journal } = this;
    if (!journal) return;
    const copy =
      this.copies.get(dir) ??
      new LongLineCopy({
        dir,
        now: this.now,
        redact: (text) => redactedLine(text, this.redactor),
        write: (piece) => this.write(piece),
      });
    this.copies.set(dir, copy);
    copy.add(bytes);
  }

  /** Something that befell the process; told of at once. */
  accept(event: ProcessEvent): void {
    this.acceptLine({ t: this.now(), dir: 'ev', ...event });
    this.flush();
  }

  /** What was written on standard error so far. */
  get stderrExcerpt(): StderrExcerpt | undefined {
    return this.stderr.excerpt;
  }

  /** Why the process ended, where nobody had asked it to and that was found out. */
  get endCause(): EndCause | undefined {
    return this.interpreter.endCause;
  }

  /** What is wrong with an answer to `initialize` that cannot be taken for one, as long as no other has come. */
  get unusableAnswer(): EndCause | undefined {
    return this.interpreter.unusableAnswer;
  }

  flush(): void {
    try {
      this.log.flush();
    } catch (error) {
      this.onFault('a2c', error);
    }
  }

  /** What the journal can't take is interpreted all the same. */
  private write(event: WireEvent | WirePiece): void {
    try {
      this.journal?.write(event);
    } catch (error) {
      this.onFault(event.dir, error);
    }
  }

  private waitForQuiet(): void {
    if (this.quietTimer || !this.interpreter.isWaiting) return;
    this.quietTimer = setTimeout(() => this.fallQuiet(), quietAfter);
  }

  /** What comes in pieces is shown when no more has come for a moment. */
  private fallQuiet(): void {
    this.quietTimer = undefined;
    interpretQuiet(this.now(), this.interpreter, this.log);
    this.flush();
    // What came meanwhile waits in its turn.
    this.waitForQuiet();
  }

  /** An over-long line says how much of it the journal has. */
  private ended(event: WireEvent): WireEvent {
    if (event.dir === 'ev' || event.dir === 'c2a' || event.bytes === undefined) return event;
    const kept = this.copies.get(event.dir)?.end();
    return kept === undefined ? event : { ...event, kept };
  }
}
