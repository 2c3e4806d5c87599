import type { RecordDraft } from '../../log/record';
import type { LineRecord } from '../../log/store/lineRecord';
import type { DiagnosisSink } from '../../diagnosis/sessionSummary';
import { messageOf } from '../humanError';
import type { LineRedactor } from './redactEvent';

/**
 * The sink, behind a look at what an interpreter has put together: a secret that a model says in pieces is one only in the whole message.
 * What is logged comes as one line, which has been looked at.
 */
export function redactedSink(sink: DiagnosisSink, redactor: LineRedactor | undefined): DiagnosisSink {
  if (!redactor) return sink;
  return {
    takesLines: sink.takesLines ?? false,
    record: (draft) => sink.record(isComposed(draft) ? withoutSecrets(draft, redactor) : draft),
    get lastSeq() {
      return sink.lastSeq;
    },
    session: (change) => sink.session(change),
    summary: (sessionId, summary) => sink.summary?.(sessionId, summary),
    request: (change) => sink.request(change),
    ...(sink.fact && { fact: sink.fact.bind(sink) }),
  };
}

function isComposed(draft: RecordDraft | LineRecord): draft is RecordDraft {
  return draft.kind === 'activity' || draft.kind === 'diagnosis';
}

/** A pattern of the person's own may fail, as with more alternatives than can be tried. */
function withoutSecrets(draft: RecordDraft, redactor: LineRedactor): RecordDraft {
  try {
    const message = redactor.line(draft.message);
    return message === draft.message ? draft : { ...draft, message };
  } catch (error) {
    const { length } = draft.message;
    const message = `${length} characters are left out: they could not be searched for secrets (${messageOf(error)})`;
    return { ...draft, message };
  }
}
