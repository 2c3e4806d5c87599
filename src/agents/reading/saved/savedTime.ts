import { timeOf } from '../../../protocols/logFields/timeOf';
import type { JsonObject } from '../../../text/json';
import { isObject, objectOf } from '../../../text/json';

/** Fields that contain a record's time: most agents', Cline's, Kimi's. */
const fields = ['timestamp', 'ts', 'time'] as const;

/** Times of the lines in a saved session. A line without a time gets that of the previous line; lines before the first time get that one. */
export class SavedClock {
  private last: number | undefined;

  /** @param first the first lines of the file, parsed */
  constructor(first: readonly unknown[]) {
    for (const line of first) {
      this.last = isObject(line) ? savedTime(line) : undefined;
      if (this.last !== undefined) return;
    }
  }

  /** True once a line had a time. */
  get isKnown(): boolean {
    return this.last !== undefined;
  }

  /** Milliseconds since the epoch; `undefined` if no line has had a time so far. */
  timeOf(line: unknown): number | undefined {
    if (isObject(line)) this.last = savedTime(line) ?? this.last;
    return this.last;
  }
}

/** The time at which a line was written, in milliseconds since the epoch. */
export function savedTime(line: JsonObject): number | undefined {
  for (const field of fields) {
    const time = timeOf(line[field]);
    if (time !== undefined) return time;
  }
  const set = objectOf(line['$set']);
  // Gemini's header. Other formats use this name for the program's start time.
  const start = 'projectHash' in line ? timeOf(line['startTime']) : undefined;
  return start ?? timeOf(set['lastUpdated']) ?? timeOf(objectOf(line['snapshot'])['timestamp']);
}
