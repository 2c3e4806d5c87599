import { inspect, isDeepStrictEqual } from 'node:util';
import type { LogRecord } from '../../src/text/record';
import { oneLine } from '../../src/text/text';

/** The result of a check. */
export interface Check {
  readonly what: string;
  readonly passed: boolean;
  /** The actual value, if the check failed. */
  readonly found?: string;
}

/** Matches records. Absent fields match anything. */
export interface RecordPattern extends Partial<Pick<LogRecord, 'kind' | 'level' | 'logger'>> {
  readonly message?: RegExp;
}

/** Collects the results of checks, so that a failure doesn't hide later ones. */
export class Checks {
  readonly all: Check[] = [];

  /** @param found the actual value, to show if the check fails */
  that(what: string, passed: boolean, found?: string): void {
    this.all.push({ what, passed, ...(!passed && found !== undefined && { found: oneLine(found, 600) }) });
  }

  equal(what: string, actual: unknown, expected: unknown): void {
    this.that(`${what} is ${JSON.stringify(expected)}`, isDeepStrictEqual(actual, expected), inspect(actual));
  }

  /** Checks for records that match in this order; others may come in between. */
  inOrder(what: string, records: readonly LogRecord[], patterns: readonly RecordPattern[]): void {
    let from = 0;
    for (const pattern of patterns) {
      const index = records.findIndex((record, i) => i >= from && fits(record, pattern));
      if (index < 0) {
        const rest = records.slice(from).map((record) => describe(record));
        return this.that(`${what}: ${describe(pattern)}`, false, rest.join(' | ') || 'nothing more');
      }
      from = index + 1;
    }
    this.that(`${what}: ${patterns.map(describe).join(', ')}`, true);
  }
}

export function fits(record: LogRecord, pattern: RecordPattern): boolean {
  return (
    (pattern.kind === undefined || record.kind === pattern.kind) &&
    (pattern.level === undefined || record.level === pattern.level) &&
    (pattern.logger === undefined || record.logger === pattern.logger) &&
    (pattern.message === undefined || pattern.message.test(record.message))
  );
}

export function describe({ level, kind, logger, message }: Partial<LogRecord> | RecordPattern): string {
  const text = message instanceof RegExp ? String(message) : message === undefined ? '' : oneLine(message, 60);
  return [level, kind, logger, text].filter((part) => part !== undefined && part !== '').join(' ');
}
