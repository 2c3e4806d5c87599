import type { RedactorOptions } from '../../log/redact/redactor';
import { Redactor } from '../../log/redact/redactor';
import type { Termination } from '../../log/termination';
import { t } from '../../log/translator';
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
  /** The user stopped reading. */
  readonly stopped: AbortSignal;
  /** The run was closed. */
  readonly closed: AbortSignal;
}

/** Reads a run's file into its log and follows it. */
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

  async read(): Promise<void> {
    const { info, options } = this;
    try {
      const end = await followFile({
        path: info.paths[0] ?? '',
        reader: this.reader,
        maxLineBytes,
        // Existing lines are at most as new as the file; appended ones are new.
        timeOf: () => (this.caughtUp ? Date.now() : info.modifiedAt),
        follows: () => this.follows,
        onSlice: (slice) => this.slice(slice),
        signal: AbortSignal.any([options.stopped, options.closed]),
      });
      if (options.stopped.aborted) {
        this.sink.note(`Reading stopped after ${Math.round(this.fraction * 100)} % of the file`);
      } else if (end === 'abandoned') {
        this.sink.note('The process that wrote this file has exited without recording an end');
      }
    } catch (error) {
      this.sink.note(`The rest of the file can't be read: ${messageOf(error)}`);
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
    // A past journal that is still being written belongs to another window.
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

/** For a journal without an end: its writer was killed, or is still writing. */
const brokenOff: Termination = {
  reason: 'terminated',
  terminatedBy: 'system',
  message: t('the journal breaks off here'),
};
