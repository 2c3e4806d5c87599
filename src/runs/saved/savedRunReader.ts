import { Redactor } from '../../log/redact/redactor';
import type { Termination } from '../../log/termination';
import { t } from '../../log/translator';
import type { FileRunInfo } from '../files/fileRunInfo';
import type { FileRunReaderOptions } from '../files/fileRunReader';
import { RunLogSink } from '../files/runLogSink';
import { messageOf } from '../humanError';
import { LogReader } from '../reading/logReader';
import type { RunLog } from '../runLog';
import { followMembers } from './followMembers';

/** Reads a saved session and its subagents into a run's log, and follows them. */
export class SavedRunReader {
  private readonly sink: RunLogSink;
  private caughtUp = false;
  private bytesRead = 0;

  constructor(
    private readonly info: FileRunInfo,
    private readonly log: RunLog,
    private readonly options: FileRunReaderOptions,
  ) {
    this.sink = new RunLogSink(log, info.modifiedAt);
  }

  /** Settles when reading has ended. */
  async read(): Promise<void> {
    const { info, options, sink } = this;
    const { saved } = info;
    const redactor = options.redaction && new Redactor(options.redaction);
    try {
      await followMembers({
        members: () => saved?.members() ?? Promise.resolve([]),
        newReader: () => new LogReader(sink, { protocol: 'saved', redactor }),
        timeOf: () => info.modifiedAt,
        follows: () => !options.stopped.aborted && !options.closed.aborted,
        // An idle session that grows was resumed.
        isRunning: () => (saved?.isRunning ?? false) || this.caughtUp,
        onSlice: (slice) => this.slice(slice),
        onRestart: () => {
          this.log.clear();
          sink.note('The session was rewritten; read again');
        },
        onProblem: (error) => sink.note(`A subagent's session can't be read: ${messageOf(error)}`),
        signal: AbortSignal.any([options.stopped, options.closed]),
      });
      if (options.stopped.aborted) sink.note(`Reading stopped after ${this.percent} % of the file`);
    } catch (error) {
      sink.note(`The session can't be read: ${messageOf(error)}`);
    }
    this.log.flush();
    options.enter({ type: 'ended', at: sink.endedAt, termination: stopped });
  }

  private get percent(): number {
    return Math.round(Math.min(1, this.bytesRead / Math.max(1, this.info.size)) * 100);
  }

  private slice({ bytesRead, atEnd }: { readonly bytesRead: number; readonly atEnd: boolean }): void {
    this.log.flush();
    const grew = bytesRead !== this.bytesRead;
    this.bytesRead = bytesRead;
    const { info, options } = this;
    if (!atEnd && !this.caughtUp) {
      return options.enter({ type: 'reading', read: bytesRead, size: Math.max(bytesRead, info.size) });
    }
    if (this.caughtUp && !grew) return;
    const lastAt = this.caughtUp ? Date.now() : info.modifiedAt;
    this.caughtUp = true;
    options.enter({ type: 'following', lastAt, size: bytesRead });
  }
}

/** Reading ended, not the session. */
const stopped: Termination = { reason: 'terminated', terminatedBy: 'client', message: t('no longer followed') };
