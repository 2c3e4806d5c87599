import type { Redaction } from '../../redact/redactorFor';
import { redactorFor } from '../../redact/redactorFor';
import type { Termination } from '../../wire/termination';
import { t } from '../../text/translator';
import type { FileRunInfo } from './fileRunInfo';
import type { ReadTally } from '../../runLog/reading/readTally';
import { messageOf } from '../../text/humanError';
import { redactedLine } from '../../runLog/reading/redactEvent';
import type { RunLog } from '../../runLog/runLog';
import { readInto } from '../readInto';
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

/** Reads a run's file, or a saved session and its subagents, into the run's log and follows it. */
export class FileRunReader {
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
    const { info, options, sink, progress } = this;
    const { stopped, closed, redaction, tally } = options;
    const redactor = redaction && redactorFor(redaction);
    const shown = (error: unknown): string => redactedLine(messageOf(error), redactor);
    try {
      const abandoned = await readInto(info, sink, {
        protocol: info.header && info.protocol,
        redactor,
        tally,
        follows: () => this.follows,
        // An idle session that grows was resumed.
        isRunning: () => options.follows && ((info.saved?.isRunning ?? false) || progress.caughtUp),
        onSlice: (slice) => progress.slice(slice),
        onRestart: () => {
          this.log.clear();
          sink.note('The session was rewritten; read again');
        },
        onProblem: (error) => sink.note(`A subagent's session can't be read: ${shown(error)}`),
        signal: AbortSignal.any([stopped, closed]),
      });
      if (stopped.aborted) sink.note(`Reading stopped after ${progress.percent} % of the file`);
      else if (abandoned) sink.note('The process that wrote this file has exited without recording an end');
    } catch (error) {
      sink.note(`${info.saved ? 'The session' : 'The rest of the file'} can't be read: ${shown(error)}`);
      tally?.failed(shown(error));
    }
    this.log.flush();
    options.enter({ type: 'ended', at: sink.endedAt, termination: this.termination });
  }

  private get termination(): Termination {
    if (this.info.saved) return noLongerFollowed;
    return (this.options.stopped.aborted ? undefined : this.sink.termination) ?? brokenOff;
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

/** Reading ended, not the saved session. */
const noLongerFollowed: Termination = {
  reason: 'terminated',
  terminatedBy: 'client',
  message: t('no longer followed'),
};
