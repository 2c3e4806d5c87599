import { secretKind } from '../../redact/names';
import { Redactor } from '../../redact/redactor';
import { redactWords } from '../../runLog/reading/redactEvent';

/** How a process is started. */
export interface ProcessStart {
  /** All variables that it gets. Also the headers of a server, and inputs, by their names. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The command and its arguments. */
  readonly words?: readonly string[];
  /** The names of variables that the user calls secret. */
  readonly secretEnv?: readonly string[];
}

/**
 * The values that are secret because of a name: that of a variable, a header or an option. They are redacted wherever they appear. The same
 * for the tap, agents that a window starts, and the check-up of MCP servers.
 */
export function secretsOfStart({ env, words = [], secretEnv = [] }: ProcessStart): readonly string[] {
  const plain = new Redactor();
  const values = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && (secretEnv.includes(name) || isNamedSecret(name, value, plain)) ? [value] : [],
  );
  const options = secretWords(words).map((index) => (words[index] ?? '').replace(/^-[^=]*=/, ''));
  return [...values, ...options];
}

/** Whether a variable is secret by its name, or its value by its form. `PWD` is a folder. */
export function isNamedSecret(name: string, value: string, plain = new Redactor()): boolean {
  const isPlace = /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/]/.test(value);
  if (secretKind(name) !== undefined && !isPlace) return true;
  return plain.line(`${name}=${value}`) !== `${name}=${value}`;
}

/** True if a redactor would look for the value at all: not for short ones, ordinary words, numbers and the like. */
export function canBeSecret(value: string): boolean {
  return new Redactor({ values: [value] }).line(value) !== value;
}

/** The places of the words that are secret, or have a secret in them. */
export function secretWords(words: readonly string[]): readonly number[] {
  return redactWords(words, new Redactor()).flatMap((redacted, index) => (redacted === words[index] ? [] : [index]));
}
