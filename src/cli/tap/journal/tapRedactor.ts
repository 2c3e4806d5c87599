import { OwnPatterns } from '../../../redact/ownPatterns';
import type { Redactor } from '../../../redact/redactor';
import { redactorFor } from '../../../redact/redactorFor';
import { isTooCommon } from '../../../redact/values';
import { messageOf } from '../../../text/humanError';
import { readTapPatterns } from '../../../live/config/tapPatterns';
import { TimeLimit } from '../../../machine/timeLimit';
import { secretsOfStart } from '../../../live/process/secretsOfStart';
import type { ThreadSpec } from './threadMessage';

/**
 * Redacts the same in a tap's journal as the extension would: also the values of environment variables and options that are secret by name or
 * request, and matches of the user's patterns. The options have only names, because the thread shares the environment of the process.
 * @param warn called if less is redacted than the user wants
 */
export function tapRedactor(
  { secretEnv, patternsFile, command }: Pick<ThreadSpec, 'secretEnv' | 'patternsFile' | 'command'>,
  env: Readonly<Record<string, string | undefined>>,
  warn: (message: string) => void,
): Redactor {
  const common = secretEnv.filter((name) => isTooCommon((env[name] ?? '').trim()) && env[name]);
  if (common.length > 0) {
    warn(`not redacted, because the value is too short or too common to look for: ${common.join(', ')}.`);
  }
  const secrets = secretsOfStart({ env, words: command, secretEnv });
  return redactorFor({ patterns: ownPatterns(patternsFile, warn) }, { secrets });
}

function ownPatterns(path: string, warn: (message: string) => void): OwnPatterns {
  const onTimeout = ({ source }: RegExp): void =>
    warn(`the redaction pattern ${source} took too long and isn't used any more in this run.`);
  try {
    return new OwnPatterns(readTapPatterns(path), { limit: new TimeLimit().run, onTimeout });
  } catch (error) {
    warn(`your redaction patterns can't be read and aren't used: ${path}: ${messageOf(error)}.`);
    return new OwnPatterns([]);
  }
}
