import type { Protocol } from '../../wire/protocol';

/** The file name of the installed tap: not `.js`, because a package.json in a folder above may have "type": "module". */
export const tapFile = 'agent-logs.cjs';

/** The command line behind a tap; `undefined` if there is no tap in front of it. */
export function untapped(words: readonly string[]): readonly string[] | undefined {
  const [, program = '', command] = words;
  const split = words.indexOf('--');
  return command === 'tap' && program.endsWith(tapFile) && split > 0 && split < words.length - 1
    ? words.slice(split + 1)
    : undefined;
}

export interface TapFront {
  /** The name of the run. */
  readonly name: string;
  /** Default: detected from the messages. */
  readonly protocol?: Protocol;
  /** Names of variables whose values are redacted. */
  readonly secretEnv: readonly string[];
}

/** The words between the tap's program and the command. */
export function tapWords({ name, protocol, secretEnv }: TapFront): readonly string[] {
  return [
    'tap',
    // With a leading dash, the tap would read it as an option.
    ...(name.startsWith('-') ? [`--name=${name}`] : ['--name', name]),
    ...(protocol === undefined ? [] : ['--protocol', protocol]),
    ...(secretEnv.length === 0 ? [] : ['--secret-env', secretEnv.join(',')]),
    '--',
  ];
}
