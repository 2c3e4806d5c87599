import { objectOf, textOf } from '../../text/json';
import { parsedJson } from '../../text/jsonText';
import { timeOf } from '../../protocols/logFields/timeOf';
import type { SavedOutcome } from '../savedDetails';
import { knownDetails } from '../savedDetails';
import type { AboutSession } from '../savedForm';

const outcomes: Readonly<Record<string, SavedOutcome>> = {
  completed: 'ok',
  failed: 'error',
  cancelled: 'cancelled',
  running: 'open',
};

/** Reads Cline's `ID.json`, with the process that writes it. It doesn't say how the last turn of an idle session ended. */
export function readAbout(text: string): AboutSession {
  const about = objectOf(parsedJson(text));
  const metadata = objectOf(about['metadata']);
  const { pid } = about;
  // Another process says later that the writer is gone, not how its turn ended.
  const status = metadata['terminal_marker'] === undefined ? about['status'] : undefined;
  const details = knownDetails({
    id: textOf(about['session_id']),
    title: textOf(metadata['title']) ?? textOf(metadata['prompt']),
    folder: textOf(about['cwd']),
    model: textOf(about['model']),
    forkedFrom: textOf(objectOf(metadata['fork'])['forkedFromSessionId']),
    startedAt: timeOf(about['started_at']),
    lastAt: timeOf(about['ended_at']),
    outcome: outcomes[textOf(status) ?? ''],
  });
  return { ...details, ...(typeof pid === 'number' && status === 'running' && { pid }) };
}
