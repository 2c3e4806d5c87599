import type { DiagnosisSink } from '../../diagnosis/sessionSummary';
import type { RecordDraft } from '../../log/record';
import type { LineRecord } from '../../log/store/lineRecord';
import { ForwardingSink } from './forwardingSink';
import type { LineRedactor } from './redactEvent';
import { redactedLine } from './redactEvent';

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
