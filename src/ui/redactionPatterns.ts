import { oneLine } from '../log/text';
import { arrayOf } from '../protocols/json';
import { messageOf } from '../runs/humanError';

/** A pattern of `agentLogs.redaction.patterns` that takes nothing out. */
export interface PatternMistake {
  /** Its place in the setting. */
  readonly index: number;
  readonly message: string;
}

/** The person's own patterns of what is secret, as the setting has them, and what is wrong with the others. */
export function redactionPatterns(setting: unknown): {
  readonly patterns: readonly RegExp[];
  readonly mistakes: readonly PatternMistake[];
} {
  const patterns: RegExp[] = [];
  const mistakes: PatternMistake[] = [];
  if (setting !== undefined && setting !== null && !Array.isArray(setting)) {
    const message = 'agentLogs.redaction.patterns must be a list of texts: ["…"]. It takes nothing out.';
    return { patterns, mistakes: [{ index: 0, message }] };
  }
  for (const [index, source] of arrayOf(setting).entries()) {
    const at = `agentLogs.redaction.patterns[${index}]`;
    if (source === '') continue;
    if (typeof source !== 'string') mistakes.push({ index, message: `${at} must be a text. It takes nothing out.` });
    else {
      try {
        patterns.push(new RegExp(source, 'g'));
      } catch (error) {
        mistakes.push({ index, message: `${at} takes nothing out: ${oneLine(messageOf(error), 200)}.` });
      }
    }
  }
  return { patterns, mistakes };
}
