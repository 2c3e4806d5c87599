import { withoutEnd } from '../../log/text';

/** Longer commands aren't parsed completely, so their exit code counts as a failure. */
const maxCommand = 4000;
const maxDepth = 4;
const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

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
/** Programs that run a command in a named place: `docker exec web grep …`. */
const remote = /^(?:(?:docker|podman|kubectl)(?: compose)? exec|ssh)$/;
/** Programs that run the command after them and exit with its status. */
const wrappers = setOf(`
  env time nice sudo doas command builtin exec nohup stdbuf timeout busybox ionice setsid chronic unbuffer
  then do else ! ( {
`);
/** Options of wrappers and git that take a value. */
const optionsWithValue = setOf(`
  -u -n -k -s -C -c -g --user --git-dir --work-tree -I -P -L -d -E -S
`);
const shells = /^(?:\S*\/)?(?:ba|da|z|k|a)?sh(?:\.exe)?$/;
/** Ends of blocks. A block's status is that of the command before its end. */
const closers = setOf('done fi esac } )');
/** Commands that almost never fail, so that a chain's status is that of its last command. */
const quiet = setOf(`
  cd pushd popd export set source . echo printf sleep mkdir unset true : pwd
`);
/** Commands that change what is piped into them. */
const filters = setOf(`
  head tail sort uniq wc cut tr cat tee nl sed awk less column tac
`);
/** Commands that print text from elsewhere; exit codes in it aren't about the command. */
const printing = setOf(`
  cat bat less more head tail sed awk echo printf jq strings journalctl nl find ls tac cut sort uniq tee
  curl wget gh history man xxd true :
`);

/** `git log`, `docker compose logs`, `kubectl describe`. */
const printingSubcommand = /^(?:compose )?(?:logs?|history|show|view|describe|diff|blame|grep)(?:\s|$)/;

interface Command {
  readonly words: readonly string[];
  /** The operator that joins it to the previous command. */
  readonly joint: string;
}

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

/** The command that is run in another place, if any. */
function insideOf(program: string, rest: readonly string[]): readonly string[] | undefined {
  const args = withoutOptions(rest);
  if (remote.test(program)) return args.slice(1);
  const verbs = args[0] === 'compose' ? 2 : 1;
  if (!remote.test([program, ...args.slice(0, verbs)].join(' '))) return undefined;
  const command = withoutOptions(withoutOptions(args.slice(verbs)).slice(1));
  return command[0] === '--' ? command.slice(1) : command;
}

function isQuiet({ words }: Command): boolean {
  const [program = ''] = programOf(words);
  return quiet.has(program) || words.every(isAssignment);
}

function isDiff(words: readonly string[]): boolean {
  const [program = '', ...rest] = programOf(words);
  return (
    /(?:^|\/)(?:\w*diff|cmp)$/.test(program) ||
    (program === 'git' && (withoutOptions(rest)[0] ?? '').startsWith('diff'))
  );
}

/** The command and its arguments, without assignments and wrappers. */
function programOf(words: readonly string[]): readonly string[] {
  let rest = words;
  for (let i = 0; i < 20; i++) {
    const [first = '', second] = rest;
    if (isAssignment(first)) rest = rest.slice(1);
    else if (first === 'command' && second === '-v') return rest;
    else if (!wrappers.has(first.replace(/^.*\//, ''))) return rest;
    else {
      rest = withoutOptions(rest.slice(1));
      // `timeout 5 grep`, `nice 10 grep`
      if (/^(?:timeout|nice)$/.test(first) && /^\d[\d.]*[smhd]?$/.test(rest[0] ?? '')) rest = rest.slice(1);
    }
  }
  return rest;
}

function withoutOptions(words: readonly string[]): readonly string[] {
  let start = 0;
  while (words[start]?.startsWith('-') === true) start += optionsWithValue.has(words[start] ?? '') ? 2 : 1;
  return words.slice(start);
}

function isAssignment(word: string): boolean {
  return /^[A-Za-z_]\w*=/.test(word);
}

/** The command that determines the status of the line. */
function lastOf(commands: readonly Command[]): Command | undefined {
  return commands.findLast(({ words }) => words.some((word) => !closers.has(word)));
}

/** Titles may be in backticks, after a prompt, or inside other words. */
function unquoted(commandLine: string): string {
  return withoutEnd(commandLine.slice(0, maxCommand).replace(/^[\s$>`]+/, ''), /[\s`]/);
}

/** Splits a shell command line at its operators, respecting quotes, redirections and comments. */
function commandsIn(commandLine: string): Command[] {
  const commands: Command[] = [];
  let words: string[] = [];
  let joint = '';
  const close = (next: string): void => {
    if (words.length > 0) commands.push({ words, joint });
    words = [];
    joint = next;
  };
  const token =
    /[^\S\n]*(?:(#[^\n]*)|(&&|\|\|?&?|;+|\n|&(?!>))|((?:\d|&)?(?:>>?|<<?<?)(?:&\d|&-|\s*(?:"[^"]*"|'[^']*'|[^\s;|&<>()"']+)))|((?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s;|&<>"'\\])+)|(.))/gsuy;
  const text = unquoted(commandLine);
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [, , operator, , word] = match;
    if (operator !== undefined) close(operator);
    else if (word !== undefined) words.push(plain(word));
  }
  close('');
  return commands;
}

/** Removes quotes and a subshell's parentheses. */
function plain(word: string): string {
  return withoutEnd(word.replace(/^\(+/, ''), /\)/).replace(
    /"((?:\\.|[^"\\])*)"|'([^']*)'/g,
    (_all, double?: string, single?: string) => double ?? single ?? '',
  );
}
