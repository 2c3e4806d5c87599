import { textOf } from '../../text/json';
import { timeOf } from '../../protocols/logFields/timeOf';
import type { SavedDetails } from '../savedDetails';
import { knownDetails } from '../savedDetails';

/** Reads Copilot's `workspace.yaml`, with one `name: value` per line. */
export function readAbout(text: string): SavedDetails {
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

function unquoted(value: string): string {
  return /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value;
}
