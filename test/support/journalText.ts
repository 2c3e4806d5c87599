import type { WireEvent } from '../../src/wire/wireEvent';

/** The first line of a journal. */
export function header(fields: object = {}): string {
  const about = { journal: 1, agent: 'Test', protocol: 'acp', command: ['x'], cwd: '/w' };
  return lineOf({ ...about, startedAt: '2026-01-01T00:00:00.000Z', part: 1, ...fields });
}

/** A line of a journal, so many milliseconds after its start. */
export function entry(ms: number, dir: WireEvent['dir'], fields: object): string {
  return lineOf({ t: new Date(Date.UTC(2026, 0, 1) + ms).toISOString(), ms, dir, ...fields });
}

export function message(ms: number, dir: 'c2a' | 'a2c', fields: object): string {
  return entry(ms, dir, { msg: { jsonrpc: '2.0', ...fields } });
}

/** A log message of an agent. */
export function log(text: string, level = 'info'): string {
  return message(1000, 'a2c', { method: 'log', params: { level, message: text } });
}

export function exit(ms: number, code: number | null = 0, signal: string | null = null): string {
  return entry(ms, 'ev', { ev: 'exit', code, signal });
}

/** Objects as lines of JSON. */
export function linesText(...lines: readonly object[]): string {
  return lines.map(lineOf).join('');
}

function lineOf(fields: object): string {
  return `${JSON.stringify(fields)}\n`;
}
