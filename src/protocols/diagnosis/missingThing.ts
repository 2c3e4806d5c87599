import { oneLine, plainText } from '../../log/text';
import { reaches } from '../../log/level';
import { readStderrLine } from '../stderr/stderrLine';
import { adviceFor } from './failureClass';

const missingModule =
  /\b(?:Cannot find (?:module|package) ['"]([^'"]{1,200})['"]|ModuleNotFoundError: No module named ['"]([^'"]{1,200})['"])/;
/** As Node.js has it. */
const notSpawned = /\bspawn (\S{1,100}) ENOENT\b/;
/** As shells have it, by their names: sh and bash, zsh, and `env` in the first line of a script; and scripts by their own. */
const notFound = [
  /^(?:\S*[/\\])?-?(?:ba|da|z|k|a)?sh(?:\.exe)?: (?:(?:line )?\d+: )?([^\s:]{1,100}): (?:command )?not found\b/,
  /^(?:\S*\/)?zsh:(?:\d+:)? command not found: (\S{1,100})/,
  /^(?:\S*\/)?env: ['‘"`]?([^\s'’"`:]{1,100})['’"`]?: No such file or directory\b/,
  /: ([^\s:]{1,100}): command not found$/,
];
/** A script of dash, which does not say that it was a command. */
const notFoundInScript = /^\S+: \d+: ([^\s:]{1,100}): not found$/;
/** An exception by its name, as the first of its lines has it; that a command has failed says of no other cause. */
const exception = /^(?:Uncaught )?(?:\w+\.)*(?:[A-Z]\w*)?(?:Error|Exception)\b(?!.*\b(?:exit(?:ed)?|command failed)\b)/;
/** What goes on without it. */
const overcome = /\b(?:using|falling back|fallback|skipp(?:ed|ing)|ignor(?:ed|ing)|optional|continuing|disabled)\b/i;

/** The exit code of a shell where a command was not there. */
const commandNotFound = 127;

/**
 * What was missing when a process ended, as advice. What it has only mentioned did not end it: a process that was ended by a signal had all
 * that it needed, and a warning is no cause.
 * @param words what it said last that reads like a reason
 * @param lines the newest of its standard error
 */
export function missingThing(
  { code, signal }: { readonly code: number | null; readonly signal: string | null },
  words: string | undefined,
  lines: readonly string[],
): string | undefined {
  if (code === null || signal !== null || isOfSignal(code)) return undefined;
  if (code === commandNotFound) {
    const command = firstIn([...lines].reverse(), [...notFound, notFoundInScript]);
    if (command !== undefined) return commandAdvice(command);
  }
  const needed = neededThing(lines);
  if (needed !== undefined) return needed;
  const command = words !== undefined && isCause(words) ? firstIn([words], notFound) : undefined;
  if (command !== undefined) return commandAdvice(command);
  return code === commandNotFound ? adviceFor('missing-executable') : undefined;
}

/** Shells give 128 and the number of the signal that ended what they ran. */
function isOfSignal(code: number): boolean {
  return code > 128 && code <= 165;
}

/** The newest module or program that an exception tells of, unless another exception came after it. */
function neededThing(lines: readonly string[]): string | undefined {
  for (const line of [...lines].reverse()) {
    const text = plainText(line);
    const [, node, python] = missingModule.exec(text) ?? [];
    const module = node ?? python;
    const program = notSpawned.exec(text)?.[1];
    if ((module !== undefined || program !== undefined) && isCause(text) && !overcome.test(text)) {
      return module === undefined ? commandAdvice(program ?? '') : moduleAdvice(module);
    }
    if (exception.test(text)) return undefined;
  }
  return undefined;
}

/** A line that calls itself less than an error tells of what was overcome. */
function isCause(line: string): boolean {
  const { level } = readStderrLine(line);
  return level === undefined || reaches(level, 'error');
}

function firstIn(lines: readonly string[], patterns: readonly RegExp[]): string | undefined {
  for (const line of lines) {
    for (const pattern of patterns) {
      const name = pattern.exec(plainText(line))?.[1];
      if (name !== undefined) return name;
    }
  }
  return undefined;
}

function moduleAdvice(name: string): string {
  return `\`${oneLine(name, 100)}\` is missing: install the agent's dependencies, or correct the path in its arguments.`;
}

function commandAdvice(name: string): string {
  return `\`${oneLine(name, 100)}\` was not found: install it, or put its folder on the PATH that the agent is started with.`;
}
