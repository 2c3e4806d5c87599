import type { RedactorOptions } from '../../log/redact/redactor';
import { Redactor } from '../../log/redact/redactor';
import type { Termination } from '../../log/termination';
import type { FileRunInfo } from './fileRunInfo';
import { followFile, maxLineBytes } from './followFile';
import { LogReader } from '../reading/logReader';
import { messageOf } from '../humanError';
import type { RunLog } from '../runLog';
import { RunLogSink } from './runLogSink';
import type { RunViewState } from '../runView';

export interface FileRunReaderOptions {
  readonly redaction: RedactorOptions | undefined;
  readonly enter: (state: RunViewState) => void;
  /** The person wants no more read. */
  readonly stopped: AbortSignal;
  /** Nobody wants to see it any more. */
  readonly closed: AbortSignal;
}

/** Reads a run's file into its log, and follows it. */
export class FileRunReader {
  private readonly sink: RunLogSink;
  private readonly reader: LogReader;
  private fraction = 0;
  private caughtUp = false;
  private lastBytes = 0;

  constructor(
    private readonly info: FileRunInfo,
    private readonly log: RunLog,
    private readonly options: FileRunReaderOptions,
  ) {
    this.sink = new RunLogSink(log, info.modifiedAt);
    this.reader = new LogReader(this.sink, {
      protocol: info.header && info.protocol,
      redactor: options.redaction && new Redactor(options.redaction),
    });
  }

  /** Settles when nothing more is to come. */
  async read(): Promise<void> {
    const { info, options } = this;
    try {
      const end = await followFile({
        path: info.paths[0] ?? '',
        reader: this.reader,
        maxLineBytes,
        // What was there before is at most as old as the file; what comes is new.
        timeOf: () => (this.caughtUp ? Date.now() : info.modifiedAt),
        follows: () => this.follows,
        onSlice: (slice) => this.slice(slice),
        signal: AbortSignal.any([options.stopped, options.closed]),
      });
      if (options.stopped.aborted) {
        this.sink.note(`reading was stopped after ${Math.round(this.fraction * 100)} % of the file`);
      } else if (end === 'abandoned') this.sink.note('whoever wrote this is gone, without an end');
    } catch (error) {
      this.sink.note(`the file could not be read to its end: ${messageOf(error)}`);
    }
    this.reader.complete();
    this.log.flush();
    options.enter({
      type: 'ended',
      at: this.sink.endedAt,
      termination: (options.stopped.aborted ? undefined : this.sink.termination) ?? brokenOff,
    });
  }

  private get follows(): boolean {
    if (this.options.stopped.aborted || this.options.closed.aborted) return false;
    // A journal of the past that somebody still writes is that of another window.
    return this.info.origin !== 'past' || (this.info.writer !== undefined && this.info.termination === undefined);
  }

  private slice({ bytesRead, atEnd }: { readonly bytesRead: number; readonly atEnd: boolean }): void {
    this.log.flush();
    this.fraction = Math.min(1, bytesRead / Math.max(1, this.info.size));
    if (!atEnd && !this.caughtUp) {
      return this.options.enter({ type: 'reading', read: bytesRead, size: Math.max(bytesRead, this.info.size) });
    }
    const grew = bytesRead !== this.lastBytes;
    this.lastBytes = bytesRead;
    if (this.caughtUp && !grew) return;
    const lastAt = this.caughtUp ? Date.now() : this.info.modifiedAt;
    this.caughtUp = true;
    this.options.enter({ type: 'following', lastAt, size: bytesRead });
  }
}

/** A journal without an end: whoever wrote it was ended first, or is still writing. */
const brokenOff: Termination = { reason: 'terminated', terminatedBy: 'system', message: 'the journal breaks off here' };
