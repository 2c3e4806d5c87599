import { objectOf, textOf } from '../../log/json';
import { timeOf } from '../../protocols/logFields/timeOf';
import { jsonValueOf } from '../../wire/jsonValue';
import type { SavedDetails, SavedOutcome } from './savedSession';
import { knownDetails } from './savedSession';

const outcomes: Readonly<Record<string, SavedOutcome>> = {
  completed: 'completed',
  failed: 'failed',
  cancelled: 'interrupted',
  running: 'open',
};

/** Reads Copilot's `workspace.yaml`, with one `name: value` per line. */
export function copilotAbout(text: string): SavedDetails {
  const fields = new Map<string, string>();
  for (const line of text.slice(0, 16_384).split(/\r?\n/)) {
    const [, name, value] = /^([a-z_]{1,40}): (.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) fields.set(name, unquoted(value.trim()));
  }
  return knownDetails({
    id: textOf(fields.get('id')),
    title: textOf(fields.get('name')),
    folder: textOf(fields.get('cwd')),
    startedAt: timeOf(fields.get('created_at')),
  });
}

/** Reads Cline's `ID.json`, with the process that writes it. */
export function clineAbout(text: string): SavedDetails & { readonly pid?: number } {
  const about = objectOf(jsonValueOf(text).msg);
  const metadata = objectOf(about['metadata']);
  const { status, pid } = about;
  const details = knownDetails({
    id: textOf(about['session_id']),
    title: textOf(metadata['title']) ?? textOf(metadata['prompt']),
    folder: textOf(about['cwd']),
    model: textOf(about['model']),
    startedAt: timeOf(about['started_at']),
    lastAt: timeOf(about['ended_at']),
    outcome: outcomes[textOf(status) ?? ''],
  });
  return { ...details, ...(typeof pid === 'number' && status === 'running' && { pid }) };
}

function unquoted(value: string): string {
  return /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value;
}
