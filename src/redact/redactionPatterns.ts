import type { Words } from '../text/translator';
import { t } from '../text/translator';
import { compilePattern } from './ownPatterns';
import { oneLine } from '../text/text';
import { arrayOf } from '../text/json';
import { messageOf } from '../text/humanError';

/** An invalid or disabled pattern of `agentLogs.redaction.patterns`. */
export interface PatternMistake {
  /** Its index in the setting. */
  readonly index: number;
  readonly message: Words;
}

/**
 * Compiles the user's redaction patterns, and reports what is wrong with the others.
 * @param timedOut the sources of those that were disabled because they took too long
 */
export function redactionPatterns(
  setting: unknown,
  timedOut: ReadonlySet<string> = new Set(),
): {
  readonly patterns: readonly RegExp[];
  readonly mistakes: readonly PatternMistake[];
} {
  const patterns: RegExp[] = [];
  const mistakes: PatternMistake[] = [];
  if (setting !== undefined && setting !== null && !Array.isArray(setting)) {
    const message = t('`agentLogs.redaction.patterns` must be a list of strings. Nothing is redacted by it.');
    return { patterns, mistakes: [{ index: 0, message }] };
  }
  for (const [index, source] of arrayOf(setting).entries()) {
    const at = `agentLogs.redaction.patterns[${index}]`;
    if (source === '') continue;
    if (typeof source !== 'string') {
      mistakes.push({ index, message: t('{0} must be a string. Nothing is redacted by it.', at) });
      continue;
    }
    if (timedOut.has(source)) {
      const message = t(
        '{0} took too long and is disabled until the setting changes. Rewrite it without nested or adjacent repetitions such as {1}.',
        at,
        '`(a+)+`, `.*.*`',
      );
      mistakes.push({ index, message });
    }
    try {
      patterns.push(compilePattern(source));
    } catch (error) {
      mistakes.push({ index, message: t('{0} is invalid: {1}.', at, oneLine(messageOf(error), 200)) });
    }
  }
  return { patterns, mistakes };
}
