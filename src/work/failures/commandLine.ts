import { withoutEnd } from '../../text/text';

/** Longer command lines aren't parsed completely, in characters. */
export const maxCommand = 4000;

/** The words of a table. */
export const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Programs that run the command after them and exit with its status. */
const wrappers = setOf(`
  env time nice sudo doas command builtin exec nohup stdbuf timeout busybox ionice setsid chronic unbuffer
  then do else ! ( {
`);
/** Options of wrappers and git that take a value. */
const optionsWithValue = setOf(`
  -u -n -k -s -C -c -g --user --git-dir --work-tree -I -P -L -d -E -S
`);
export const shells = /^(?:\S*\/)?(?:ba|da|z|k|a)?sh(?:\.exe)?$/;
/** Ends of blocks. A block's status is that of the command before its end. */
const closers = setOf('done fi esac } )');
/** Commands that almost never fail, so that a chain's status is that of its last command. */
const quiet = setOf(`
  cd pushd popd export set source . echo printf sleep mkdir unset true : pwd
`);
/** Commands that change what is piped into them. */
export const filters = setOf(`
  head tail sort uniq wc cut tr cat tee nl sed awk less column tac
`);
/** Programs that run a command in a named place: `docker exec web grep …`. */
const remote = /^(?:(?:docker|podman|kubectl)(?: compose)? exec|ssh)$/;

export interface Command {
  readonly words: readonly string[];
  /** The operator that joins it to the previous command. */
  readonly joint: string;
}

/** The command that determines the status of the line. */
export function lastOf(commands: readonly Command[]): Command | undefined {
  return commands.findLast(({ words }) => words.some((word) => !closers.has(word)));
}

/** Titles may be in backticks, after a prompt, or inside other words. */
export function unquoted(commandLine: string): string {
  return withoutEnd(commandLine.slice(0, maxCommand).replace(/^[\s$>`]+/, ''), /[\s`]/);
}

/** Splits a shell command line at its operators, respecting quotes, redirections and comments. */
export function commandsIn(commandLine: string): Command[] {
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

/** The command and its arguments, without assignments and wrappers. */
export function programOf(words: readonly string[]): readonly string[] {
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

export function withoutOptions(words: readonly string[]): readonly string[] {
  let start = 0;
  while (words[start]?.startsWith('-') === true) start += optionsWithValue.has(words[start] ?? '') ? 2 : 1;
  return words.slice(start);
}

function isAssignment(word: string): boolean {
  return /^[A-Za-z_]\w*=/.test(word);
}

/** The command that is run in another place, if any. */
export function insideOf(program: string, rest: readonly string[]): readonly string[] | undefined {
  const args = withoutOptions(rest);
  if (remote.test(program)) return args.slice(1);
  const verbs = args[0] === 'compose' ? 2 : 1;
  if (!remote.test([program, ...args.slice(0, verbs)].join(' '))) return undefined;
  const command = withoutOptions(withoutOptions(args.slice(verbs)).slice(1));
  return command[0] === '--' ? command.slice(1) : command;
}

export function isQuiet({ words }: Command): boolean {
  const [program = ''] = programOf(words);
  return quiet.has(program) || words.every(isAssignment);
}
