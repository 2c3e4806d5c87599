import type { JournalHeader } from './journalLine';

/** How long a header is at most, in bytes: systems take no longer command lines, or hardly. */
export const maxHeader = 4 * 1024 * 1024;

/** Reads the first line of a journal; `undefined` for a line that is no header. What is not as it should be is left empty. */
export function readJournalHeader(line: string): JournalHeader | undefined {
  const fields = objectOf(parse(line));
  if (fields['journal'] !== 1) return undefined;
  const { command, part } = fields;
  const { level } = objectOf(fields['tap']);
  const tap = pidOf(fields['tap']);
  const host = pidOf(fields['host']);
  return {
    journal: 1,
    agent: textOf(fields['agent']),
    protocol: textOf(fields['protocol']),
    command: Array.isArray(command) ? command.map(textOf) : [],
    cwd: textOf(fields['cwd']),
    startedAt: textOf(fields['startedAt']),
    part: typeof part === 'number' && Number.isSafeInteger(part) && part > 0 ? part : 1,
    ...(tap !== undefined && { tap: { pid: tap, ...(typeof level === 'string' && { level }) } }),
    ...(host !== undefined && { host: { pid: host } }),
    ...(fields['redacted'] === true && { redacted: true }),
  };
}

function pidOf(writer: unknown): number | undefined {
  const { pid } = objectOf(writer);
  return typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
