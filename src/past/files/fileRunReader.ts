import type { Redaction } from '../../redact/redactorFor';
import { redactorFor } from '../../redact/redactorFor';
import type { Termination } from '../../wire/termination';
import { t } from '../../text/translator';
import type { FileRunInfo } from './fileRunInfo';
import { followFile, maxLineBytes } from './followFile';
import { LogReader } from '../../runLog/reading/logReader';
import type { ReadTally } from '../../runLog/reading/readTally';
import { messageOf } from '../../text/humanError';
import type { RunLog } from '../../runLog/runLog';
import { ReadingProgress } from './readingProgress';
import { RunLogSink } from './runLogSink';
import type { RunViewState } from '../../runLog/runView';

export interface FileRunReaderOptions {
  readonly redaction: Redaction | undefined;
  readonly enter: (state: RunViewState) => void;
  /** False to end where the file ends now. */
  readonly follows: boolean;
  /** Counts what was read, and what was not. */
  readonly tally: ReadTally | undefined;
  /** The user stopped reading. */
  readonly stopped: AbortSignal;
  /** The run was closed. */
  readonly closed: AbortSignal;
}

/** Reads a run's file into its log and follows it. */
export class FileRunReader {
  private readonly sink: RunLogSink;
  private readonly reader: LogReader;
  private readonly progress: ReadingProgress;

  constructor(
    private readonly info: FileRunInfo,
    private readonly log: RunLog,
    private readonly options: FileRunReaderOptions,
  ) {
    this.sink = new RunLogSink(log, info.modifiedAt);
    this.progress = new ReadingProgress(info, log, options.enter);
    this.reader = new LogReader(this.sink, {
      protocol: info.header && info.protocol,
      redactor: options.redaction && redactorFor(options.redaction),
      tally: options.tally,
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
        timeOf: () => (this.progress.caughtUp ? Date.now() : info.modifiedAt),
        follows: () => this.follows,
        onSlice: (slice) => this.progress.slice(slice),
        signal: AbortSignal.any([options.stopped, options.closed]),
      });
      if (options.stopped.aborted) {
        this.sink.note(`Reading stopped after ${this.progress.percent} % of the file`);
      } else if (end === 'abandoned') {
        this.sink.note('The process that wrote this file has exited without recording an end');
      }
    } catch (error) {
      this.sink.note(`The rest of the file can't be read: ${messageOf(error)}`);
      options.tally?.failed(messageOf(error));
    }
    this.reader.complete();
    if (this.reader.lacksEnd) options.tally?.endMissing();
    this.log.flush();
    options.enter({
      type: 'ended',
      at: this.sink.endedAt,
      termination: (options.stopped.aborted ? undefined : this.sink.termination) ?? brokenOff,
    });
  }

  private get follows(): boolean {
    const { follows, stopped, closed } = this.options;
    if (!follows || stopped.aborted || closed.aborted) return false;
    // A past journal that is still being written belongs to another window.
    return this.info.origin !== 'past' || (this.info.writer !== undefined && this.info.termination === undefined);
  }
}

/** For a journal without an end: its writer was killed, or is still writing. */
const brokenOff: Termination = {
  reason: 'terminated',
  terminatedBy: 'system',
  message: t('the journal breaks off here'),
  isUnknown: true,
};
