import type { LineRecord } from '../../log/store/lineRecord';
import type { RecordDraft } from '../../log/record';
import type { Termination } from '../../log/termination';
import { ForwardingSink } from '../reading/forwardingSink';
import type { LogSink } from '../reading/logReader';
import type { RunLog } from '../runLog';

/** What is read from a file, into a run's log. */
export class RunLogSink extends ForwardingSink implements LogSink {
  private currentTermination: Termination | undefined;

  /** @param lastAt when the last record is from, until one comes, in milliseconds since the epoch */
  constructor(
    private readonly log: RunLog,
    private lastAt: number,
  ) {
    super(log);
  }

  /** When the last record is from, or the end was, in milliseconds since the epoch. */
  get endedAt(): number {
    return this.lastAt;
  }

  /** Why the run ended, as far as the file tells. */
  get termination(): Termination | undefined {
    return this.currentTermination;
  }

  get unanswered(): string | undefined {
    return this.log.unanswered;
  }

  override record(draft: RecordDraft | LineRecord): void {
    this.lastAt = draft.receivedAt;
    super.record(draft);
  }

  /** The file was replaced, or holds several runs: they stand one after the other. */
  begin(): void {
    this.currentTermination = undefined;
    for (const request of this.log.requests) this.log.request({ type: 'closed', request });
    this.note('the file begins anew');
  }

  end(_name: string, termination: Termination, at: number): void {
    this.currentTermination = this.log.store.sessionIds.inValue(termination);
    this.lastAt = at;
  }

  /** What the file itself has to say. */
  note(message: string): void {
    this.log.record({ receivedAt: this.lastAt, level: 'warning', kind: 'lifecycle', message });
  }
}
