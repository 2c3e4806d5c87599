import { parsedJson } from '../../log/jsonText';
import type { JournalHeader } from './journalLine';

/** How long a header is at most, in bytes: systems take no longer command lines, or hardly. */
export const maxHeader = 4 * 1024 * 1024;

/** Reads the first line of a journal; `undefined` for a line that is no header. What is not as it should be is left empty. */
export function readJournalHeader(line: string): JournalHeader | undefined {
  const fields = objectOf(parsedJson(line));
  if (fields['journal'] !== 1) return undefined;
  const { command, part } = fields;
  const { level } = objectOf(fields['tap']);
  const tap = processOf(fields['tap']);
  const host = processOf(fields['host']);
  return {
    journal: 1,
    agent: textOf(fields['agent']),
    protocol: textOf(fields['protocol']),
    command: Array.isArray(command) ? command.map(textOf) : [],
    cwd: textOf(fields['cwd']),
    startedAt: textOf(fields['startedAt']),
    part: isPositive(part) ? part : 1,
    ...(tap && { tap: { ...tap, ...(typeof level === 'string' && { level }) } }),
    ...(host && { host }),
    ...(fields['redacted'] === true && { redacted: true }),
  };
}

function processOf(writer: unknown): { readonly pid: number; readonly beat?: number } | undefined {
  const { pid, beat } = objectOf(writer);
  if (!isPositive(pid)) return undefined;
  return { pid, ...(isPositive(beat) && { beat }) };
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
