import { oneLine, plainText } from '../../log/text';
import { reaches } from '../../log/level';
import { readStderrLine } from '../stderr/stderrLine';
import { adviceFor } from './failureClass';

const missingModule =
  /\b(?:Cannot find (?:module|package) ['"]([^'"]{1,200})['"]|ModuleNotFoundError: No module named ['"]([^'"]{1,200})['"])/;
/** As Node.js has it. */
const notSpawned = /\bspawn (\S{1,100}) ENOENT\b/;
/** As shells have it, by their names: sh and bash, zsh, and `env` in the first line of a script. */
const notFound = [
  /^\S*sh(?:\.exe)?: (?:(?:line )?\d+: )?([^\s:]{1,100}): (?:command )?not found\b/,
  /^(?:\S*\/)?zsh:(?:\d+:)? command not found: (\S{1,100})/,
  /^(?:\S*\/)?env: ['‘"`]?([^\s'’"`:]{1,100})['’"`]?: No such file or directory\b/,
];

/** Exit codes of a shell: above these a signal ended what it ran, and at the last the command was not there. */
const maxOwnCode = 127;

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
  if (code === null || signal !== null || code > maxOwnCode) return undefined;
  const command = code === maxOwnCode ? firstIn([...lines].reverse(), notFound) : undefined;
  if (command !== undefined) return commandAdvice(command);
  if (words !== undefined && isCause(words)) {
    const [, node, python] = missingModule.exec(words) ?? [];
    const name = node ?? python;
    if (name !== undefined) {
      return `\`${oneLine(name, 100)}\` is missing: install the agent's dependencies, or correct the path in its arguments.`;
    }
    const missed = firstIn([words], [notSpawned, ...notFound]);
    if (missed !== undefined) return commandAdvice(missed);
  }
  return code === maxOwnCode ? adviceFor('missing-executable') : undefined;
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

function commandAdvice(name: string): string {
  return `\`${oneLine(name, 100)}\` was not found: install it, or put its folder on the PATH that the agent is started with.`;
}
