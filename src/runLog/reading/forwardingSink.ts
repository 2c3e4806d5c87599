import type { SettledProblem } from '../../diagnosis/diagnosis';
import type { DiagnosisSink, SessionSummary } from '../../diagnosis/sessionSummary';
import type { RecordDraft } from '../../text/record';
import type { LineRecord } from '../../text/bytes/lineRecord';
import type { Fact } from '../../work/facts';
import type { Work } from '../../work/work';
import type { SessionChange } from '../../protocols/interpreter';
import type { LineRedactor } from './redactEvent';
import { redactedLine } from './redactEvent';

/** Forwards everything to another sink. Sinks that change one method extend it, so that none is forgotten. */
export class ForwardingSink implements Required<DiagnosisSink> {
  readonly takesLines: boolean;

  constructor(protected readonly inner: DiagnosisSink) {
    this.takesLines = inner.takesLines ?? false;
  }

  get lastSeq(): number {
    return this.inner.lastSeq;
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

  settled(problem: SettledProblem): void {
    this.inner.settled?.(problem);
  }

  get work(): Work {
    return this.inner.work;
  }

  fact(fact: Fact): void {
    this.inner.fact?.(fact);
  }
}

/**
 * Wraps a sink to redact composed records: a secret that a model writes in chunks is only complete in the whole message. Log messages are single lines,
 * which are redacted before.
 */
export function redactedSink(sink: DiagnosisSink, redactor: LineRedactor | undefined): DiagnosisSink {
  return redactor ? new RedactedSink(sink, redactor) : sink;
}

class RedactedSink extends ForwardingSink {
  constructor(
    inner: DiagnosisSink,
    private readonly redactor: LineRedactor,
  ) {
    super(inner);
  }

  override record(draft: RecordDraft | LineRecord): void {
    this.inner.record(isComposed(draft) ? this.redacted(draft) : draft);
  }

  private redacted(draft: RecordDraft): RecordDraft {
    const message = redactedLine(draft.message, this.redactor);
    return message === draft.message ? draft : { ...draft, message };
  }
}

function isComposed(draft: RecordDraft | LineRecord): draft is RecordDraft {
  return draft.kind === 'activity' || draft.kind === 'diagnosis';
}
