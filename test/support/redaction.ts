import { OwnPatterns } from '../../src/redact/ownPatterns';
import type { Redaction } from '../../src/redact/redactorFor';

/** The redaction of a user with these patterns. */
export function redactionWith(...patterns: readonly RegExp[]): Redaction {
  return { patterns: new OwnPatterns(patterns) };
}
