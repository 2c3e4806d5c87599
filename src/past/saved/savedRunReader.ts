import { redactorFor } from '../../redact/redactorFor';
import type { Termination } from '../../wire/termination';
import { t } from '../../text/translator';
import type { FileRunInfo } from '../files/fileRunInfo';
import type { FileRunReaderOptions } from '../files/fileRunReader';
import { ReadingProgress } from '../files/readingProgress';
import { RunLogSink } from '../files/runLogSink';
import { messageOf } from '../../text/humanError';
import { LogReader } from '../../runLog/reading/logReader';
import type { RunLog } from '../../runLog/runLog';
import { followMembers } from './followMembers';

/** Reads a saved session and its subagents into a run's log, and follows them. */
export class SavedRunReader {
  private readonly sink: RunLogSink;
  private readonly progress: ReadingProgress;

  constructor(
    private readonly info: FileRunInfo,
    private readonly log: RunLog,
    private readonly options: FileRunReaderOptions,
  ) {
    this.sink = new RunLogSink(log, info.modifiedAt);
    this.progress = new ReadingProgress(info, log, options.enter);
  }

  /** Settles when reading has ended. */
  async read(): Promise<void> {
    const { info, options, sink } = this;
    const { saved } = info;
    const redactor = options.redaction && redactorFor(options.redaction);
    try {
      await followMembers({
        members: () => saved?.members() ?? Promise.resolve([]),
        newReader: () => new LogReader(sink, { protocol: 'saved', redactor, tally: options.tally }),
        timeOf: () => info.modifiedAt,
        follows: () => options.follows && !options.stopped.aborted && !options.closed.aborted,
        // An idle session that grows was resumed.
        isRunning: () => options.follows && ((saved?.isRunning ?? false) || this.progress.caughtUp),
        onSlice: (slice) => this.progress.slice(slice),
        onRestart: () => {
          options.tally?.restart();
          this.log.clear();
          sink.note('The session was rewritten; read again');
        },
        onProblem: (error) => {
          sink.note(`A subagent's session can't be read: ${messageOf(error)}`);
          options.tally?.failed(messageOf(error));
        },
        signal: AbortSignal.any([options.stopped, options.closed]),
      });
      if (options.stopped.aborted) sink.note(`Reading stopped after ${this.progress.percent} % of the file`);
    } catch (error) {
      sink.note(`The session can't be read: ${messageOf(error)}`);
      options.tally?.failed(messageOf(error));
    }
    this.log.flush();
    options.enter({ type: 'ended', at: sink.endedAt, termination: stopped });
  }
}

/** Reading ended, not the session. */
const stopped: Termination = { reason: 'terminated', terminatedBy: 'client', message: t('no longer followed') };
