import type { OwnPatterns } from './ownPatterns';
import type { RedactorOptions } from './redactor';
import { Redactor } from './redactor';

/** How a program redacts. It always includes the user's own patterns, so that no caller can forget them. */
export interface Redaction {
  readonly patterns: OwnPatterns;
}

/** Makes a redactor for one run or text. The only place that does, besides what judges secrets without showing them. */
export function redactorFor({ patterns }: Redaction, known: Omit<RedactorOptions, 'patterns'> = {}): Redactor {
  return new Redactor({ ...known, patterns });
}
