import type { DiagnosisSink, SessionSummary } from '../../diagnosis/sessionSummary';
import type { RecordDraft } from '../../log/record';
import type { LineRecord } from '../../log/store/lineRecord';
import type { Fact } from '../../protocols/facts';
import type { RequestChange, SessionChange } from '../../protocols/interpreter';
import type { LogLine } from '../../protocols/logLine/logLine';

/** Forwards everything to another sink. Sinks that change one method extend it, so that none is forgotten. */
export class ForwardingSink implements Required<DiagnosisSink> {
  readonly takesLines: boolean;

  constructor(protected readonly inner: DiagnosisSink) {
    this.takesLines = inner.takesLines ?? false;
  }

  get lastSeq(): number {
    return this.inner.lastSeq;
  }

  needsFact(log: LogLine): boolean {
    return this.inner.needsFact?.(log) ?? false;
  }

  record(draft: RecordDraft | LineRecord): void {
    this.inner.record(draft);
  }

  session(change: SessionChange): void {
    this.inner.session(change);
  }

  summary(sessionId: string | undefined, summary: SessionSummary): void {
    this.inner.summary?.(sessionId, summary);
  }

  request(change: RequestChange): void {
    this.inner.request(change);
  }

  fact(fact: Fact): void {
    this.inner.fact?.(fact);
  }
}
