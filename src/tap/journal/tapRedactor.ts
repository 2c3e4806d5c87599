import { OwnPatterns } from '../../log/redact/ownPatterns';
import { Redactor } from '../../log/redact/redactor';
import { isTooCommon } from '../../log/redact/values';
import { messageOf } from '../../runs/humanError';
import { readTapPatterns } from '../../runs/config/tapPatterns';
import { TimeLimit } from '../../runs/timeLimit';
import { redactWords } from '../../runs/reading/redactEvent';

/** What a tap knows of the person's secrets. None of it is a secret itself: the thread has the environment of the process. */
export interface TapSecrets {
  /** The environment variables whose values are secret, whatever their names say. */
  readonly env: readonly string[];
  /** The file with the person's own patterns. */
  readonly patternsFile: string;
  /** The command line of the agent. */
  readonly command: readonly string[];
}

/**
 * Takes out of a tap's journal what the extension would: also the values of the agent's `env`, of other variables whose names are those of
 * secrets, and of options that are secret; and what the person's own patterns match.
 * @param warn gets what redacts less than the person wants
 */
export function tapRedactor(
  { env: names, patternsFile, command }: TapSecrets,
  env: Readonly<Record<string, string | undefined>>,
  warn: (message: string) => void,
): Redactor {
  const plain = new Redactor();
  const isNamed = (name: string, value: string): boolean => plain.line(`${name}=${value}`) !== `${name}=${value}`;
  const given = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && (names.includes(name) || isNamed(name, value)) ? [value] : [],
  );
  const common = names.filter((name) => isTooCommon((env[name] ?? '').trim()) && env[name]);
  if (common.length > 0) {
    warn(`not redacted, because the value is too short or too common to look for: ${common.join(', ')}.`);
  }
  const words = redactWords(command, plain).flatMap((redacted, index) => {
    const word = command[index] ?? '';
    return redacted === word ? [] : [word.replace(/^-[^=]*=/, '')];
  });
  return new Redactor({ secrets: [...given, ...words], patterns: ownPatterns(patternsFile, warn) });
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
