import type { ByteChunk } from '../../log/bytes/byteChunk';
import type { StderrExcerpt, Termination } from '../../log/termination';
import type { Interpreter, InterpreterSink } from '../../protocols/interpreter';
import { StderrExcerpts } from '../../protocols/stderr/stderrExcerpts';
import type { WireEvent } from '../../wire/wireEvent';
import { Ending } from './ending';
import { interpret, interpretLog, interpretQuiet } from './interpret';
import { QuickLines } from './quickLines';
import type { LineRedactor } from './redactEvent';
import { redactEvent } from './redactEvent';

/** After this nothing waits for more, in milliseconds. */
const longEnough = 3_600_000;

/** Events of the past, read into a log by the interpreter that reads live ones. */
export class EventLog {
  private readonly stderr = new StderrExcerpts();
  private readonly ending = new Ending();
  private readonly quickLines: QuickLines;
  private lastAt = 0;

  constructor(
    private readonly sink: InterpreterSink,
    private readonly interpreter: Interpreter,
    private readonly redactor: LineRedactor | undefined,
  ) {
    this.quickLines = new QuickLines(interpreter, redactor);
  }

  accept(raw: WireEvent): void {
    const event = redactEvent(raw, this.redactor);
    this.lastAt = Math.max(this.lastAt, event.t);
    this.ending.accept(event);
    if (event.dir === 'err') this.stderr.add(event.line);
    interpret(event, this.interpreter, this.sink);
  }

  /** An agent's message, from its bytes. Answers whether it could be taken from them: all others are for `accept`. */
  takeMessage(chunk: ByteChunk, start: number, end: number, t: number): boolean {
    const line = this.quickLines.read(chunk, start, end, t);
    if (!line) return false;
    this.lastAt = Math.max(this.lastAt, t);
    interpretLog(line, this.interpreter, this.sink);
    return true;
  }

  /** No more events come: what waited for more is complete. */
  finish(): void {
    const at = this.lastAt + longEnough;
    if (this.interpreter.finish) this.interpreter.finish(at);
    else this.interpreter.quiet(at);
  }

  /** When the last event was, in milliseconds since the epoch. */
  get endedAt(): number {
    return this.lastAt;
  }

  /** What comes next comes now, in milliseconds since the epoch; when all before it came, its file does not tell. */
  resume(now: number): void {
    this.interpreter.resume?.(now);
  }

  /** Nothing more has come until now, in milliseconds since the epoch. */
  quiet(now: number): void {
    if (this.interpreter.isWaiting) interpretQuiet(now, this.interpreter, this.sink);
  }

  /** Whether the run is over, and whether its last event has said why. */
  get isOver(): boolean {
    return this.ending.isOver;
  }

  get isComplete(): boolean {
    return this.ending.isComplete;
  }

  get stderrExcerpt(): StderrExcerpt | undefined {
    return this.stderr.excerpt;
  }

  /**
   * Why the run ended; `undefined` where its events break off.
   * @param unanswered a request that it did not answer any more
   */
  termination(unanswered?: string): Termination | undefined {
    const termination = this.ending.termination(this.stderrExcerpt, unanswered);
    const { endCause: cause } = this.interpreter;
    return termination && cause ? { ...termination, cause } : termination;
  }
}
