import { timeOf } from '../logFields/timeOf';
import type { JsonObject } from '../json';
import { isObject, objectOf } from '../json';

/** Where formats have a record's time. The last is Cline's. */
const fields = ['timestamp', 'ts'] as const;

/**
 * When lines of a saved session were written. A line without a time has that of the line before; lines before the first time have that
 * one.
 */
export class SavedClock {
  private last: number | undefined;

  /** @param first the first lines of the file, parsed */
  constructor(first: readonly unknown[]) {
    for (const line of first) {
      this.last = isObject(line) ? savedTime(line) : undefined;
      if (this.last !== undefined) return;
    }
  }

  /** Milliseconds since the epoch; `undefined` if no line had a time so far. */
  timeOf(line: unknown): number | undefined {
    if (isObject(line)) this.last = savedTime(line) ?? this.last;
    return this.last;
  }
}

/** When a line says that it was written, in milliseconds since the epoch. */
export function savedTime(line: JsonObject): number | undefined {
  for (const field of fields) {
    const time = timeOf(line[field]);
    if (time !== undefined) return time;
  }
  const set = objectOf(line['$set']);
  // Gemini's header. Others have the time of the program's start by that name.
  const start = 'projectHash' in line ? timeOf(line['startTime']) : undefined;
  return start ?? timeOf(set['lastUpdated']) ?? timeOf(objectOf(line['snapshot'])['timestamp']);
}
