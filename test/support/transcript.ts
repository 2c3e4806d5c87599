import { readFileSync } from 'node:fs';
import type { JsonObject } from '../../src/protocols/json';
import type { WireEvent } from '../../src/wire/wireEvent';

/** The wire events of a recorded run: NDJSON with `t`, `dir` and either `line`, or `ev` and its fields. */
export function readTranscript(file: string): WireEvent[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => eventOf(JSON.parse(line) as JsonObject));
}

function eventOf(entry: JsonObject): WireEvent[] {
  const t = Date.parse(String(entry['t']));
  const line = String(entry['line']);
  switch (entry['dir']) {
    case 'c2a':
    case 'a2c':
      return [{ t, dir: entry['dir'], line, ...parsed(line) }];
    case 'err':
      return [{ t, dir: 'err', line }];
    default:
      return processEvent(t, entry);
  }
}

function processEvent(t: number, entry: JsonObject): WireEvent[] {
  const { ev, cmd, cwd, code, signal } = entry;
  if (ev === 'spawn') return [{ t, dir: 'ev', ev, pid: 1, command: cmd as string[], cwd: String(cwd) }];
  if (ev === 'stdin-close') return [{ t, dir: 'ev', ev }];
  if (ev === 'SIGTERM') return [{ t, dir: 'ev', ev: 'signal', signal: ev }];
  if (ev === 'exit') return [{ t, dir: 'ev', ev, code: code as number | null, signal: signal as string | null }];
  return []; // notes of the recorder
}

function parsed(line: string): { msg?: unknown } {
  try {
    return { msg: JSON.parse(line) as unknown };
  } catch {
    return {};
  }
}
