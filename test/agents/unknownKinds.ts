import type { LogRecord } from '../../src/text/record';
import { reaches } from '../../src/text/level';
import { isObject } from '../../src/text/json';
import { parsedJson } from '../../src/text/jsonText';

/** How readers word what they don't know. */
const unknown = /^unknown record type (\S+)|^part of (?:type|kind) (\S+)|^message of (unknown)\b/;

/** The kinds of lines that a run shows as unknown, or as JSON where people read, each once. */
export function unknownKinds(records: readonly LogRecord[]): readonly string[] {
  return [...new Set(records.flatMap(kindOf))].sort();
}

function kindOf({ kind, level, logger = 'line', message, content }: LogRecord): readonly string[] {
  const name = unknown.exec(message)?.slice(1).find(Boolean);
  if (name !== undefined) return [name];
  // What models, tools and log messages say may be JSON.
  if (kind !== 'activity' || content !== undefined || !reaches(level, 'info')) return [];
  return isObject(parsedJson(message.replace(/…$/, '}'))) || /^\{".*…$/.test(message) ? [`${logger} (JSON)`] : [];
}
