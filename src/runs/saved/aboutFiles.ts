import { objectOf, textOf } from '../../protocols/json';
import { timeOf } from '../../protocols/logFields/timeOf';
import { jsonValueOf } from '../../wire/jsonValue';
import type { SavedDetails, SavedOutcome } from './savedSession';

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
  const startedAt = timeOf(fields.get('created_at'));
  return {
    ...known('id', fields.get('id')),
    ...known('title', fields.get('name')),
    ...known('folder', fields.get('cwd')),
    ...(startedAt !== undefined && { startedAt }),
  };
}

/** Reads Cline's `ID.json`, with the process that writes it. */
export function clineAbout(text: string): SavedDetails & { readonly pid?: number } {
  const about = objectOf(jsonValueOf(text).msg);
  const metadata = objectOf(about['metadata']);
  const outcome = outcomes[textOf(about['status']) ?? ''];
  const startedAt = timeOf(about['started_at']);
  const lastAt = timeOf(about['ended_at']);
  const pid = about['pid'];
  return {
    ...known('id', textOf(about['session_id'])),
    ...known('title', textOf(metadata['title']) ?? textOf(metadata['prompt'])),
    ...known('folder', textOf(about['cwd'])),
    ...known('model', textOf(about['model'])),
    ...(startedAt !== undefined && { startedAt }),
    ...(lastAt !== undefined && { lastAt }),
    ...(outcome !== undefined && { outcome }),
    ...(typeof pid === 'number' && about['status'] === 'running' && { pid }),
  };
}

function known<K extends string>(name: K, value: string | undefined): Partial<Record<K, string>> {
  return value === undefined || value === '' ? {} : ({ [name]: value } as Partial<Record<K, string>>);
}

function unquoted(value: string): string {
  return /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value;
}
