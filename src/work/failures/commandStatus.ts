import type { Command } from './commandLine';
import {
  commandsIn,
  filters,
  insideOf,
  isQuiet,
  lastOf,
  maxCommand,
  programOf,
  setOf,
  shells,
  unquoted,
  withoutOptions,
} from './commandLine';

const maxDepth = 4;

/** Programs whose exit code 1 is a result: nothing found, files differ, no. */
const answering = setOf(`
  grep egrep fgrep zgrep pgrep rg ag ack findstr diff cmp colordiff fc sdiff test [ [[ false expr which
  where type hash pidof lsof fuser pkill killall xzgrep zdiff diff3 mountpoint tty
`);
const answeringGit = setOf(`
  diff grep diff-index diff-files diff-tree check-ignore show-ref merge-base rev-parse config ls-files
  cat-file symbolic-ref
`);
/** Subcommands with the same meaning of exit code 1: `kubectl diff`, `npm outdated`, `systemctl is-active`. */
const answeringSubcommands = setOf(`
  diff grep outdated audit exists is-active is-enabled is-failed
`);
/** Subcommands that report a service's state, with the exit codes of LSB: 3 if it isn't running, 4 if it is unknown. */
const stateOfService = /^(?:status|is-(?:active|enabled|failed))$/;
/** An option that requests a result by exit code. */
const statesAnswer = /\s--?(?:detailed-?)?exit-?(?:code|status)\b/;
/** Commands that print text from elsewhere; exit codes in it aren't about the command. */
const printing = setOf(`
  cat bat less more head tail sed awk echo printf jq strings journalctl nl find ls tac cut sort uniq tee
  curl wget gh history man xxd true :
`);

/** `git log`, `docker compose logs`, `kubectl describe`. */
const printingSubcommand = /^(?:compose )?(?:logs?|history|show|view|describe|diff|blame|grep)(?:\s|$)/;

/**
 * Whether a nonzero exit code is a result and no failure: `grep` found nothing, `diff` found a difference, or a pipe was closed early. A command
 * line has the status of its last command.
 * @param output what it printed, if known: if a chain printed something, an earlier command may have failed
 */
export function isAnswer(commandLine: string, exitCode: number, output = ''): boolean {
  if (exitCode === 141) return true; // SIGPIPE: the reader closed the pipe
  // Terraform's `-detailed-exitcode` answers with 2, and fails with 1.
  const isDetailed = /\s--?detailed-?exit-?code\b/.test(commandLine);
  const mayAnswer = isDetailed ? exitCode === 2 : [1, 3, 4, 123].includes(exitCode);
  if (!mayAnswer) return false;
  return answers(commandLine, exitCode, output, 0);
}

/** Whether a command only prints existing text, such as a log. */
export function isPrinter(commandLine: string): boolean {
  const last = lastOf(commandsIn(unquoted(commandLine)));
  if (!last) return false;
  const [program = '', ...args] = programOf(last.words);
  return printing.has(program) || answering.has(program) || printingSubcommand.test(withoutOptions(args).join(' '));
}

function answers(commandLine: string, exitCode: number, output: string, depth: number): boolean {
  if (depth > maxDepth || commandLine.length > maxCommand) return false;
  const commands = commandsIn(commandLine);
  const last = lastOf(commands);
  if (!last || /\bcd: |\bcommand not found\b|: not found$/m.test(output)) return false;
  // `[ -f x ] && echo yes` has the status of the test, because `echo` almost never fails.
  const before = chainBefore(commands, last);
  const deciding = isQuiet(last)
    ? before.findLast((command) => !isQuiet(command))
    : ['', '0'].includes(output.trim())
      ? pipedInto(last, commands)
      : last;
  if (!deciding) return false;
  const others = before.filter((command) => command !== deciding && !isQuiet(command));
  if (output.trim() !== '' && !isDiff(deciding.words) && !others.every((one) => isAnswerOf(one, exitCode, '', depth))) {
    return false;
  }
  return isAnswerOf(deciding, exitCode, output, depth);
}

/** With `pipefail`, the status of `| head` or `| wc` that got nothing is that of the command before it. */
function pipedInto(last: Command, commands: readonly Command[]): Command | undefined {
  const isFilter = last.joint.startsWith('|') && last.joint !== '||' && filters.has(programOf(last.words)[0] ?? '');
  const before = isFilter ? commands[commands.indexOf(last) - 1] : undefined;
  return before ? pipedInto(before, commands) : last;
}

/** The commands joined by `&&` before this one, which may have decided its status; for pipes, the last command. */
function chainBefore(commands: readonly Command[], last: Command): readonly Command[] {
  const before: Command[] = [];
  let isJoined = last.joint === '&&';
  for (let i = commands.indexOf(last) - 1; i >= 0; i--) {
    const command = commands[i];
    if (!command || (!isJoined && commands[i + 1]?.joint !== '|')) break;
    if (isJoined) before.unshift(command);
    isJoined = command.joint === '&&';
  }
  return before;
}

function isAnswerOf(command: Command, exitCode: number, output: string, depth: number): boolean {
  const words = programOf(command.words);
  const [program = ''] = words;
  if (shells.test(program)) {
    const script = words.slice(1).find((word) => !word.startsWith('-') && !word.startsWith('+'));
    return script !== undefined && answers(script, exitCode, output, depth + 1);
  }
  if (exitCode === 3 || exitCode === 4) return words.some((word) => stateOfService.test(word));
  if (program === 'xargs') return answersByOne(programOf(withoutOptions(words.slice(1))));
  if (exitCode === 123) return false;
  return answersByOne(words);
}

/** Whether exit code 1 of this program is a result. */
function answersByOne([name = '', ...rest]: readonly string[]): boolean {
  const program = name.replace(/^.*[/\\]/, '').replace(/\.exe$/, '');
  if (program === 'git') return answeringGit.has(withoutOptions(rest)[0] ?? '');
  if (program === 'command') return rest[0] === '-v';
  if (program === 'jq') return rest.some((word) => /^-\w*e|^--exit-status$/.test(word));
  if (program === 'make') return rest.some((word) => /^-q$|^--question$/.test(word));
  if (answering.has(program) || rest.some((word) => statesAnswer.test(` ${word}`))) return true;
  const inside = insideOf(program, rest);
  return inside ? answersByOne(programOf(inside)) : answeringSubcommands.has(rest[0] ?? '');
}

function isDiff(words: readonly string[]): boolean {
  const [program = '', ...rest] = programOf(words);
  return (
    /(?:^|\/)(?:\w*diff|cmp)$/.test(program) ||
    (program === 'git' && (withoutOptions(rest)[0] ?? '').startsWith('diff'))
  );
}
