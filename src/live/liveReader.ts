import { entryGap } from '../protocols/stderr/stderrEntries';
import type { Interpretation } from '../runLog/reading/interpretation';
import { LongLineCopy } from '../wire/lines/longLineCopy';
import type { ProcessEvent, WireEvent, WireMessage, WirePiece } from '../wire/wireEvent';
import { WireLine } from '../wire/wireLine';
import type { RunLog } from '../runLog/runLog';
import { longTextOf } from '../runLog/reading/redactEvent';
import type { RunReaderOptions } from '../runLog/reading/runReader';
import { RunReader } from '../runLog/reading/runReader';
import { WaitingLogs } from '../runLog/reading/waitingLogs';

/** Delay after the last line until incomplete records are completed, in milliseconds. */
const quietAfter = entryGap + 50;

export interface LiveReaderOptions extends RunReaderOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Feeds a live run's reader, with timestamps and oversized lines in pieces. Never throws: a bug in the log must neither block a message to the client
 * nor end the run.
 */
export class LiveReader {
  readonly run: RunReader;
  private readonly waiting = new WaitingLogs();
  private readonly copies = new Map<WirePiece['dir'], LongLineCopy>();
  private quietTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly log: RunLog,
    interpretation: Interpretation,
    private readonly options: LiveReaderOptions,
  ) {
    this.run = new RunReader(log, interpretation, options);
  }

  /** Accepts a line, or another event that needn't be shown immediately; `flush` shows many together. */
  accept(event: WireEvent): void {
    if (event.dir === 'a2c' && this.waits(event)) return;
    this.acceptWaiting();
    try {
      this.run.accept(this.withKept(event));
      if (this.log.store.isOverfull) this.flush();
      this.waitForQuiet();
    } catch (error) {
      this.options.onFault?.(event.dir, error);
    }
  }

  /** Accepts a process or connection event, and shows it immediately. */
  acceptProcessEvent(event: ProcessEvent): void {
    this.accept({ t: this.options.now(), dir: 'ev', ...event });
    this.flush();
  }

  /** Accepts the next bytes of an oversized line, which precede the line itself. */
  acceptPiece(dir: WirePiece['dir'], bytes: Buffer): void {
    const { journal, redactor, now } = this.options;
    if (!journal) return;
    this.acceptWaiting();
    const copy =
      this.copies.get(dir) ??
      new LongLineCopy({
        dir,
        now,
        redactor: longTextOf(redactor),
        write: (piece) => this.run.write(piece),
      });
    this.copies.set(dir, copy);
    copy.add(bytes);
  }

  flush(): void {
    this.acceptWaiting();
    try {
      this.log.flush();
    } catch (error) {
      this.options.onFault?.('a2c', error);
    }
  }

  /** Lets a log message wait for others. A log message is complete, so nothing waits for quiet. Returns false if the event is anything else. */
  private waits(event: WireMessage): boolean {
    const log = this.run.readLog(event);
    if (!log) return false;
    this.waiting.add(event, log);
    if (this.waiting.isFull) this.acceptWaiting();
    return true;
  }

  private acceptWaiting(): void {
    if (this.waiting.isEmpty) return;
    try {
      this.run.acceptLogs(this.waiting.take());
      if (this.log.store.isOverfull) this.flush();
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
    this.acceptWaiting();
    this.run.quiet(this.options.now());
    this.flush();
    // Lines that arrived meanwhile get their own wait.
    this.waitForQuiet();
  }

  /** Adds to an oversized line how much of it the journal has. */
  private withKept(event: WireEvent): WireEvent {
    if (event.dir === 'ev' || event.dir === 'c2a' || event.bytes === undefined) return event;
    const kept = this.copies.get(event.dir)?.end();
    if (kept === undefined) return event;
    if (event.dir === 'err') return { ...event, kept };
    return WireLine.of(event.t, event.dir, event.line, { msg: event.msg, bytes: event.bytes, kept });
  }
}
