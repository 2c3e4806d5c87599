import { groupGap } from '../../protocols/stderr/groupGap';
import type { Interpreter } from '../../protocols/interpreter';
import { LongLineCopy } from '../../wire/lines/longLineCopy';
import type { ProcessEvent, WireEvent, WirePiece } from '../../wire/wireEvent';
import { WireLine } from '../../wire/wireLine';
import type { RunLog } from '../runLog';
import { redactedLine } from './redactEvent';
import type { RunReaderOptions } from './runReader';
import { RunReader } from './runReader';

/** How long after the last line incomplete records are completed, in milliseconds. */
const quietAfter = groupGap + 50;

export interface LiveReaderOptions extends RunReaderOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Feeds a run's reader while the run is live: with the time, and with over-long lines in pieces. Never throws: a bug in the log must neither
 * keep a message from the client nor end the run.
 */
export class LiveReader {
  readonly run: RunReader;
  private readonly copies = new Map<WirePiece['dir'], LongLineCopy>();
  private quietTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly log: RunLog,
    interpreter: Interpreter,
    private readonly options: LiveReaderOptions,
  ) {
    this.run = new RunReader(log, interpreter, options);
  }

  /** Takes a line, or another event that needn't be shown at once: `flush` shows many together. */
  accept(event: WireEvent): void {
    try {
      this.run.accept(this.withKept(event));
      if (this.log.store.isOverfull) this.flush();
      // A log message is complete.
      if (event.dir !== 'a2c' || event.isLog !== true) this.waitForQuiet();
    } catch (error) {
      this.options.onFault?.(event.dir, error);
    }
  }

  /** Takes an event of the process or the connection, and shows it at once. */
  acceptProcessEvent(event: ProcessEvent): void {
    this.accept({ t: this.options.now(), dir: 'ev', ...event });
    this.flush();
  }

  /** Takes the next bytes of a line that is too long to be held; the line itself comes after them. */
  acceptPiece(dir: WirePiece['dir'], bytes: Buffer): void {
    const { journal, redactor, now } = this.options;
    if (!journal) return;
    const copy =
      this.copies.get(dir) ??
      new LongLineCopy({
        dir,
        now,
        redact: (text) => redactedLine(text, redactor),
        write: (piece) => this.run.write(piece),
      });
    this.copies.set(dir, copy);
    copy.add(bytes);
  }

  flush(): void {
    try {
      this.log.flush();
    } catch (error) {
      this.options.onFault?.('a2c', error);
    }
  }

  private waitForQuiet(): void {
    if (this.quietTimer || !this.run.isWaiting) return;
    this.quietTimer = setTimeout(() => this.fallQuiet(), quietAfter);
  }

  private fallQuiet(): void {
    this.quietTimer = undefined;
    this.run.quiet(this.options.now());
    this.flush();
    // Lines that came in the meantime wait in their turn.
    this.waitForQuiet();
  }

  /** An over-long line says how much of it the journal has. */
  private withKept(event: WireEvent): WireEvent {
    if (event.dir === 'ev' || event.dir === 'c2a' || event.bytes === undefined) return event;
    const kept = this.copies.get(event.dir)?.end();
    if (kept === undefined) return event;
    if (event.dir === 'err') return { ...event, kept };
    return WireLine.of(event.t, event.dir, event.line, { msg: event.msg, bytes: event.bytes, kept });
  }
}
