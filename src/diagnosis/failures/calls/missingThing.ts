import type { Words } from '../../../text/translator';
import { t } from '../../../text/translator';
import { shownLine } from '../../../text/text';
import { reaches } from '../../../text/level';
import { exception } from '../../../protocols/stderr/runtimes';
import type { SaidLine } from '../../../work/facts';
import type { MissingPart } from '../../../text/humanError';
import { isNotFoundCode, missingProgramIn, unspawnedIn } from '../../../work/failures/missingProgram';
import { installOf } from '../../../agents/installs';
import { causeOf, causes } from '../../causes';
import { adviceFor } from '../failureAdvice';
import { consequence } from '../lastWords';

/** How a process exited. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

const missingModule =
  /\b(?:Cannot find (?:module|package) ['"]([^'"]{1,200})['"]|ModuleNotFoundError: No module named ['"]([^'"]{1,200})['"])/;
/** Python, for its main module (`python3 -m`). */
const missingMain = /(?:^|[/\\])(?:python|pypy)[\w.]{0,20}: No module named ([\w.]{1,200})$/;
/** uv. */
const missingPackage = /\bBecause ([\w.-]{1,200}) was not found in the package registry\b/;
/** The Linux loader exits with the same code as a shell that can't find a command, but the PATH doesn't help here. */
const loader = /\b(?:error while loading shared libraries|Error loading shared library):? ([^\s:]{1,200}): (.{0,100})/;
const isAbsent = /^(?:cannot open shared object file: )?No such file or directory\b/;
/** The program continues without it. */
const overcome = /\b(?:using|falling back|fallback|skipp(?:ed|ing)|ignor(?:ed|ing)|optional|continuing|disabled)\b/i;

/**
 * What was missing when a process ended, as advice. Only a cause counts: a process killed by a signal had everything it needed, and a warning is no
 * cause.
 * @param reason its last words that read like a reason
 * @param lines the newest on standard error
 */
export function missingThing(
  { code, signal }: Exit,
  reason: SaidLine | undefined,
  lines: readonly SaidLine[],
): Words | undefined {
  if (code === null || signal !== null || isOfSignal(code)) return undefined;
  const isNotFound = isNotFoundCode(code);
  for (const { text } of isNotFound ? [...lines].reverse() : []) {
    const [, library, why = ''] = loader.exec(text) ?? [];
    if (library !== undefined) return isAbsent.test(why) ? libraryAdvice(library) : undefined;
    const command = missingProgramIn(text, true);
    if (command !== undefined) return commandAdvice(command);
  }
  const needed = neededThing(reason, lines);
  if (needed !== undefined) return needed;
  const command = reason && isCause(reason) ? missingProgramIn(reason.text) : undefined;
  if (command !== undefined) return commandAdvice(command);
  return isNotFound ? adviceFor('missing-executable') : undefined;
}

/** Shells exit with 128 plus the number of the signal that killed their command. */
function isOfSignal(code: number): boolean {
  return code > 128 && code <= 165;
}

/** The newest missing module or program in an error, unless another reason follows it. */
function neededThing(reason: SaidLine | undefined, lines: readonly SaidLine[]): Words | undefined {
  for (const line of [...lines].reverse()) {
    const { text } = line;
    const [, node, python] = missingModule.exec(text) ?? [];
    const module = node ?? python ?? missingMain.exec(text)?.[1];
    const unpublished = missingPackage.exec(text)?.[1];
    if (unpublished !== undefined) return packageAdvice(unpublished);
    const program = unspawnedIn(text);
    if ((module !== undefined || program !== undefined) && isCause(line) && !overcome.test(text)) {
      return module === undefined ? commandAdvice(program ?? '') : moduleAdvice(module);
    }
    if (isReason(line, reason)) return undefined;
  }
  return undefined;
}

/** Whether a line states a reason: an exception, an error by its level, or the quoted words. */
function isReason(line: SaidLine, reason: SaidLine | undefined): boolean {
  const { text, level } = line;
  // Indented lines belong to the line above; npm reports on a script that it ran.
  if (/^\s/.test(text) || (text.startsWith('npm ') && line !== reason) || consequence.test(text)) return false;
  return line === reason || exception.test(text) || (level !== undefined && reaches(level, 'error'));
}

/** A line whose level is below error, or that mentions a fallback, isn't a cause. */
function isCause({ level }: SaidLine): boolean {
  return level === undefined || reaches(level, 'error');
}

function moduleAdvice(name: string): Words {
  return t(
    'According to its output, `{0}` is missing: install its dependencies, or correct the path in its arguments.',
    shownLine(name, 100),
  );
}

function packageAdvice(name: string): Words {
  return t(
    'According to its output, there is no package `{0}`: correct the name in its arguments.',
    shownLine(name, 100),
  );
}

function libraryAdvice(name: string): Words {
  return t(
    'According to its output, the library `{0}` is missing: install the package that has it, or a build for this system.',
    shownLine(name, 100),
  );
}

/** What to do about a program that isn't there, or isn't on the PATH. */
function commandAdvice(name: string): Words {
  const program = shownLine(name, 100);
  const install = installOf(name);
  if (install === undefined) {
    return t('According to its output, `{0}` was not found: install it, or add its folder to the PATH.', program);
  }
  if (install.how.startsWith('https://')) {
    return t(
      '`{0}` was not found. It comes with {1}: install that, or add its folder to the PATH.',
      program,
      install.name,
    );
  }
  return t('`{0}` was not found: install it with `{1}`, or add its folder to the PATH.', program, install.how);
}

interface MissingText {
  /** One line without a final period. */
  readonly what: Words;
  readonly advice: Words;
  readonly cause: Words | undefined;
}

/** Why an agent couldn't be started without this, and what to do. */
export function missingPart({ type, name }: MissingPart): MissingText {
  const shown = shownLine(name, 300);
  switch (type) {
    case 'folder':
      return {
        what: t("The folder {0} doesn't exist", shown),
        advice: t('Correct `cwd` in agentLogs.agents, or create the folder.'),
        cause: causes.folderMissing,
      };
    case 'interpreter':
      return {
        what: t("Couldn't start '{0}': the interpreter in its first line doesn't exist", shown),
        advice: t('Install the interpreter, or correct the first line of the script.'),
        cause: causeOf('missing-executable'),
      };
    case 'program':
      return {
        what: t("The command '{0}' was not found", shown),
        advice: name.includes(' ')
          ? t("Commands don't run in a shell: move the arguments to `args` in agentLogs.agents.")
          : programAdvice(name),
        cause: causeOf('missing-executable'),
      };
  }
}

function programAdvice(name: string): Words {
  const install = installOf(name);
  if (install === undefined) return t('Install it, or set its full path in agentLogs.agents.');
  return install.how.startsWith('https://')
    ? t('It comes with {0}: install that, or set the full path in agentLogs.agents.', install.name)
    : t('Install it with `{0}`, or set its full path in agentLogs.agents.', install.how);
}
