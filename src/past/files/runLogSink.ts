import type { LineRecord } from '../../text/bytes/lineRecord';
import type { RecordDraft } from '../../text/record';
import type { Termination } from '../../wire/termination';
import { ForwardingSink } from '../../runLog/reading/forwardingSink';
import type { LogSink } from '../../runLog/reading/logReader';
import type { RunLog } from '../../runLog/runLog';

/** Writes what is read from a file to a run's log. */
export class RunLogSink extends ForwardingSink implements LogSink {
  private currentTermination: Termination | undefined;

  /** @param lastAt time to use until the first record, in milliseconds since the epoch */
  constructor(
    private readonly log: RunLog,
    private lastAt: number,
  ) {
    super(log);
  }

  /** Time of the last record or of the end, in milliseconds since the epoch. */
  get endedAt(): number {
    return this.lastAt;
  }

  /** Why the run ended, if the file says so. */
  get termination(): Termination | undefined {
    return this.currentTermination;
  }

  override record(draft: RecordDraft | LineRecord): void {
    this.lastAt = draft.receivedAt;
    super.record(draft);
  }

  /** Called if the file was replaced, or contains several consecutive runs. */
  begin(): void {
    this.currentTermination = undefined;
    this.log.work.end(this.lastAt);
    this.log.work.reach(this.log.lastSeq);
    this.note('The file was replaced, or another run starts here');
  }

  end(_name: string, termination: Termination, at: number): void {
    this.currentTermination = this.log.store.sessionIds.inValue(termination);
    this.lastAt = at;
  }

  /** Records a note about the file itself. */
  note(message: string): void {
    this.log.record({ receivedAt: this.lastAt, level: 'warning', kind: 'lifecycle', message });
  }
}
