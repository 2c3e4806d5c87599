import { tapFile } from '../../wire/journal/tapFolder';
import type { Protocol } from '../../wire/protocol';

/** The same program by other names: in the extension's folder or a clone, and as a command. */
const tapPrograms: readonly string[] = [tapFile, 'cli.js', 'agent-logs', 'agent-logs.cmd'];

/** A command line with the tap in front of it. */
export interface TappedWords {
  /** The command line behind the tap. */
  readonly words: readonly string[];
  /** What its runs are called. */
  readonly name: string;
  /** Where its journals go, if not to the usual folder. */
  readonly folder?: string;
}

/** Reads a command line with the tap in front of it; `undefined` if there is none. */
export function tappedWords(words: readonly string[]): TappedWords | undefined {
  const at = words.indexOf('tap');
  const split = words.indexOf('--', at);
  const inner = words.slice(split + 1);
  const [command] = inner;
  if (at < 1 || split < 0 || command === undefined || !tapPrograms.includes(fileOf(words[at - 1] ?? ''))) {
    return undefined;
  }
  const options = optionsIn(words.slice(at + 1, split));
  if (!options) return undefined;
  const { name = '', folder = '' } = options;
  return { words: inner, name: name.trim() === '' ? fileOf(command) : name, ...(folder !== '' && { folder }) };
}

/** `undefined` if a word is no option and no value of one: it is another program's command. */
function optionsIn(words: readonly string[]): Readonly<Record<string, string>> | undefined {
  const options: Record<string, string> = {};
  for (let index = 0; index < words.length; index++) {
    const [, name, inline] = /^--([a-z-]+)(?:=(.*))?$/s.exec(words[index] ?? '') ?? [];
    if (name === undefined) return undefined;
    options[name] = inline ?? words[++index] ?? '';
  }
  return options;
}

function fileOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
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
