import type { Words } from '../../log/translator';
import { l10n } from '../../log/translator';
import { oneLine } from '../../log/text';
import { reaches } from '../../log/level';
import { readStderrLine } from '../../protocols/stderr/stderrLine';
import { adviceFor } from './failureClass';

const missingModule =
  /\b(?:Cannot find (?:module|package) ['"]([^'"]{1,200})['"]|ModuleNotFoundError: No module named ['"]([^'"]{1,200})['"])/;
/** As Python says it of what it was to run (`python3 -m`). */
const missingMain = /(?:^|[/\\])(?:python|pypy)[\w.]{0,20}: No module named ([\w.]{1,200})$/;
/** As uv has it. */
const missingPackage = /\bBecause ([\w.-]{1,200}) was not found in the package registry\b/;
/** As Node.js has it. */
const notSpawned = /\bspawn (\S{1,100}) ENOENT\b/;
/** As shells have it, by their names: sh and bash, zsh, and `env` in the first line of a script; and scripts by their own. */
const notFound = [
  /^(?:\S*[/\\])?-?(?:ba|da|z|k|a)?sh(?:\.exe)?: (?:(?:line )?\d+: )?([^\s:]{1,100}): (?:command )?not found\b/,
  /^(?:\S*\/)?zsh:(?:\d+:)? command not found: (\S{1,100})/,
  /^(?:\S*\/)?env: ['‘"`]?([^\s'’"`:]{1,100})['’"`]?: No such file or directory\b/,
  /: ([^\s:]{1,100}): command not found$/,
  // A script that ends by becoming another program.
  /(?:^|: )exec: (?:line \d+: )?([^\s:]{1,100}): not found$/,
  // Windows: cmd, which quotes what was quoted, and PowerShell.
  /^['"]{1,2}([^'"]{1,200})['"]{1,2} is not recognized as an internal or external command\b/,
  /\bThe term '([^']{1,200})' is not recognized as (?:the|a) name of a cmdlet\b/,
];
/** A script of dash, which does not say that it was a command. */
const notFoundInScript = /^\S+: \d+: ([^\s:]{1,100}): not found$/;
/** The loader of Linux, which ends a program as a shell does that does not find it: no PATH helps there. */
const loader = /\b(?:error while loading shared libraries|Error loading shared library):? ([^\s:]{1,200}): (.{0,100})/;
const isAbsent = /^(?:cannot open shared object file: )?No such file or directory\b/;
/** An exception by its name, as the first of its lines has it. */
const exception = /^(?:Uncaught )?(?:\w+\.)*(?:[A-Z]\w*)?(?:Error|Exception)\b/;
/** That a command has failed says of no other cause. */
const consequence = /\b(?:exit(?:ed)?|command failed|startup failed)\b/i;
/** What goes on without it. */
const overcome = /\b(?:using|falling back|fallback|skipp(?:ed|ing)|ignor(?:ed|ing)|optional|continuing|disabled)\b/i;

/** The exit codes of a shell, and of Windows' cmd, where a command was not there. */
const commandNotFound: readonly number[] = [127, 9009];

/**
 * What was missing when a process ended, as advice. What it has only mentioned did not end it: a process that was ended by a signal had all
 * that it needed, and a warning is no cause.
 * @param words what it said last that reads like a reason
 * @param lines the newest of its standard error that may tell why
 */
export function missingThing(
  { code, signal }: { readonly code: number | null; readonly signal: string | null },
  words: string | undefined,
  lines: readonly string[],
): Words | undefined {
  if (code === null || signal !== null || isOfSignal(code)) return undefined;
  const isNotFound = commandNotFound.includes(code);
  for (const line of isNotFound ? [...lines].reverse() : []) {
    const [, library, why = ''] = loader.exec(line) ?? [];
    if (library !== undefined) return isAbsent.test(why) ? libraryAdvice(library) : undefined;
    const command = firstIn([...notFound, notFoundInScript], line);
    if (command !== undefined) return commandAdvice(command);
  }
  const needed = neededThing(words, lines);
  if (needed !== undefined) return needed;
  const command = words !== undefined && isCause(words) ? firstIn(notFound, words) : undefined;
  if (command !== undefined) return commandAdvice(command);
  return isNotFound ? adviceFor('missing-executable') : undefined;
}

/** Shells give 128 and the number of the signal that ended what they ran. */
function isOfSignal(code: number): boolean {
  return code > 128 && code <= 165;
}

/** The newest module or program that an error tells of, unless something else was told of as a reason after it. */
function neededThing(words: string | undefined, lines: readonly string[]): Words | undefined {
  for (const line of [...lines].reverse()) {
    const [, node, python] = missingModule.exec(line) ?? [];
    const module = node ?? python ?? missingMain.exec(line)?.[1];
    const unpublished = missingPackage.exec(line)?.[1];
    if (unpublished !== undefined) return packageAdvice(unpublished);
    const program = notSpawned.exec(line)?.[1];
    if ((module !== undefined || program !== undefined) && isCause(line) && !overcome.test(line)) {
      return module === undefined ? commandAdvice(program ?? '') : moduleAdvice(module);
    }
    if (isReason(line, words)) return undefined;
  }
  return undefined;
}

/** Whether a line tells of a reason of its own: an exception, an error by its level, or the words that are quoted. */
function isReason(line: string, words: string | undefined): boolean {
  // What is indented belongs to what stands above it; npm tells of a script that it has run.
  if (/^\s/.test(line) || (line.startsWith('npm ') && line !== words) || consequence.test(line)) return false;
  if (line === words || exception.test(line)) return true;
  const { level } = readStderrLine(line);
  return level !== undefined && reaches(level, 'error');
}

/** A line that calls itself less than an error tells of what was overcome. */
function isCause(line: string): boolean {
  const { level } = readStderrLine(line);
  return level === undefined || reaches(level, 'error');
}

function firstIn(patterns: readonly RegExp[], line: string): string | undefined {
  for (const pattern of patterns) {
    const name = pattern.exec(line)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

function moduleAdvice(name: string): Words {
  return l10n.t(
    "`{0}` is missing: install the agent's dependencies, or correct the path in its arguments.",
    oneLine(name, 100),
  );
}

function packageAdvice(name: string): Words {
  return l10n.t("There is no package `{0}`: correct its name in the agent's arguments.", oneLine(name, 100));
}

function libraryAdvice(name: string): Words {
  return l10n.t(
    'The library `{0}` is missing: install the package that has it, or a build of the agent for this system.',
    oneLine(name, 100),
  );
}

function commandAdvice(name: string): Words {
  return l10n.t("`{0}` was not found: install it, or add its folder to the agent's PATH.", oneLine(name, 100));
}
