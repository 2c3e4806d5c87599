import { parsedJson } from '../../log/jsonText';
import type { Level } from '../../log/level';
import { objectOf } from '../../protocols/json';
import { declareLogging } from './declareLogging';
import { LineFilter } from './lineFilter';
import type { RelayFilters } from './relayedAgent';

/** The notifications that the declaration brings about: a client that did not ask for them need not know them. */
const logMethods = new Set(['log', '_agent-logs/log']);

/** Declares logging for a client that doesn't, and keeps from it the logs it didn't ask for. Everything else passes unchanged. */
export function loggingFilters(level: Level): Required<RelayFilters> {
  let state: 'waiting' | 'declared' | 'unchanged' = 'waiting';
  const toAgent = (line: string): string => {
    const declaration = state === 'waiting' ? declareLogging(line, level) : undefined;
    if (!declaration) return line;
    state = declaration.type;
    return declaration.type === 'declared' ? declaration.line + (line.endsWith('\r') ? '\r' : '') : line;
  };
  return {
    c2a: new LineFilter({
      isDone: () => state !== 'waiting',
      concerns: (lines) => lines.includes('"initialize"'),
      replace: toAgent,
    }),
    a2c: new LineFilter({
      isDone: () => state === 'unchanged',
      concerns: (lines) => state === 'declared' && lines.includes('log"'),
      replace: (line) => (isLogNotification(line) ? undefined : line),
    }),
  };
}

function isLogNotification(line: string): boolean {
  const { method, id } = objectOf(parsedJson(line));
  return typeof method === 'string' && logMethods.has(method) && id === undefined;
}
