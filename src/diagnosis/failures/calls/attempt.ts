import type { Command } from '../../../work/failures/commandLine';
import {
  commandsIn,
  filters,
  insideOf,
  isQuiet,
  programOf,
  setOf,
  shells,
  withoutOptions,
} from '../../../work/failures/commandLine';
import type { ToolCall } from '../../../work/tools/toolCall';
import type { Purpose } from './purpose';
import { asksForVersion, hasSubcommands, nameOfScript, purposeOf, purposeOfTool } from './purpose';

/** What a tool call or one command of its command line tried. */
export interface Attempt {
  readonly purpose: Purpose;
  /** Without its folder, runner and version: `jest` for `npx jest`. `script` for a script of a package. */
  readonly program: string;
  /** The subcommand, or the name of the script: `push`, `test`. */
  readonly verb: string;
  /** Files, packages, addresses: what it is about. */
  readonly targets: readonly string[];
  /** The program's code is in the command line. */
  readonly isInline: boolean;
  /** It undoes or gives up something: `git merge --abort`. */
  readonly isAbort: boolean;
}

const maxCommands = 30;
const maxTargets = 12;
const maxTarget = 200;
const maxDepth = 4;
/** Programs that manage packages and run their scripts. */
const packageManagers = setOf('npm pnpm yarn bun');
/** Subcommands of package managers that aren't the names of scripts. */
const managing = setOf(`
  i ci install add remove rm uninstall update up upgrade outdated audit exec dlx x run init create link unlink publish pack info view
  config list ls why dedupe prune login logout whoami version cache rebuild import patch workspace workspaces set store pm fund ping
`);
/** Programs that run another one: `npx`, `uv run`. */
const runners = setOf('npx bunx pnpx uvx xvfb-run dotenv cross-env env-cmd doppler dbx-run arch direnv');
const runnersWithVerb: Readonly<Partial<Record<string, ReadonlySet<string>>>> = {
  npm: setOf('exec x'),
  pnpm: setOf('exec dlx'),
  yarn: setOf('exec dlx'),
  bun: setOf('x'),
  uv: setOf('run'),
  poetry: setOf('run'),
  pipenv: setOf('run'),
  pdm: setOf('run'),
  hatch: setOf('run'),
  rye: setOf('run'),
  conda: setOf('run'),
  bundle: setOf('exec'),
};
/** Programs with a second level of subcommands. */
const twoLevels = setOf('gh aws gcloud az heroku fly supabase vercel');
const secondLevel = setOf('compose image container network volume ef remote submodule buildx pip stash worktree');
/** Options before a subcommand that have a value. */
const ownOptions = setOf(`
  --prefix --filter -F -C --dir --cwd -w --workspace --manifest-path -f --file -R --repo --context --namespace --project -p --profile --region
  -n --directory --config -c
`);
const interpreters = setOf('python node ruby perl php deno bun');
/** Programs whose first argument is no subcommand. */
const isSubcommand = /^[a-z][a-z\d]*(?:[-:][a-z\d]+)*$/;
const isPath = /^[\w@./\\~-]{1,200}\.\w{1,5}$/;
const heredoc = /<<-?\s{0,9}(["']?)([A-Za-z_]\w{0,40})\1/;

/** What a tool call tried: a command line may try several things, each of which decides how it ended. */
export function attemptsOf(tool: ToolCall, hasFailed: boolean): readonly Attempt[] {
  const line = commandLineOf(tool);
  if (line !== undefined) return attemptsIn(line, hasFailed);
  const { toolName, title, subject } = tool;
  const name = toolName ?? nameIn(subject === '' ? title : subject);
  // Some agents only name the file that they read.
  const purpose = isPath.test(title) && tool.toolName === undefined ? 'look' : purposeOfTool(name);
  const about = [title, subject].flatMap((text) => wordsIn(text)).filter((word) => isTelling(word, purpose));
  const targets = [...(tool.file === undefined ? [] : [tool.file]), ...about].map(plainTarget);
  return [{ purpose, program: name, verb: '', targets: few(targets), isInline: false, isAbort: false }];
}

/** The command line of a call, if it runs one. */
export function commandLineOf({ command, isCommand, subject }: ToolCall): string | undefined {
  return command ?? (isCommand && subject !== '' ? subject : undefined);
}

/** What a command line tried. @param hasFailed whether parts count that may have failed, or only those that have surely succeeded */
export function attemptsIn(line: string, hasFailed: boolean, depth = 0): readonly Attempt[] {
  const commands = commandsIn(withoutHeredocs(line)).slice(-maxCommands);
  const attempts = deciding(commands, hasFailed).flatMap((command) =>
    attemptsOfWords(programOf(command.words), hasFailed, depth),
  );
  const file = writtenFile(line);
  return file === undefined ? attempts : attempts.map((attempt) => writing(attempt, file));
}

/** What is downloaded into a file isn't only looked at. */
function writing(attempt: Attempt, file: string): Attempt {
  if (attempt.purpose !== 'fetch') return attempt;
  return { ...attempt, purpose: 'files', targets: few([...attempt.targets, plainTarget(file)]) };
}

/** The file that a command line writes to. `wget` writes one if it isn't told otherwise. */
export function writtenFile(line: string): string | undefined {
  const [, url] =
    /(?:^|[;&|(]\s{0,4})wget\s(?![^;&|]*(?:-O|--spider|-q?O-))[^;&|]*?(\S{1,300})\s*$/.exec(line.slice(0, 1000)) ?? [];
  if (url !== undefined) return url.replace(/^.*\//, '');
  const [, file] = /(?:[^\d&>]>>?|\s-(?:o|O|-output))\s{0,4}["']?([\w.~/-]{2,200})/.exec(line.slice(0, 4000)) ?? [];
  return file === undefined || file.startsWith('/dev/') ? undefined : file;
}

/** The commands that decide how a line ends: those that the last one depends on. */
function deciding(commands: readonly Command[], hasFailed: boolean): readonly Command[] {
  const isStrict = commands.some(({ words }) => words[0] === 'set' && /^-\w*e/.test(words[1] ?? ''));
  const found: Command[] = [];
  let isChain = true;
  for (let i = commands.length - 1; i >= 0; i--) {
    const command = commands[i];
    if (!command) break;
    const isPart = (!isQuiet(command) || command.words[0] === 'mkdir') && !isFilter(command);
    const { joint } = commands[i + 1] ?? { joint: '' };
    // `npm test || true` succeeds in any case.
    if (joint === '||' && !hasFailed) {
      found.length = 0;
      break;
    }
    isChain &&= found.length === 0 || joint === '&&' || joint === '|' || joint === '|&' || joint === '||' || isStrict;
    // What runs in the background went on.
    const isBehind = joint === '&' && !hasFailed;
    if (isPart && (isChain || isBehind)) found.unshift(command);
  }
  return found;
}

/** Whether a command only shortens what is piped into it. */
function isFilter({ words, joint }: Command): boolean {
  const [program = ''] = programOf(words);
  return joint.startsWith('|') && joint !== '||' && (filters.has(program) || /^(?:[ef]?grep|rg|jq)$/.test(program));
}

function attemptsOfWords(words: readonly string[], hasFailed: boolean, depth: number): readonly Attempt[] {
  const [first = '', ...rest] = words;
  const program = plainProgram(first);
  if (program === '') return [];
  if (program === 'docker-compose') return attemptsOfWords(['docker', 'compose', ...rest], hasFailed, depth);
  if (depth < maxDepth) {
    if (shells.test(first)) {
      const at = rest.findIndex((word) => /^-\w*c$/.test(word));
      const script = at < 0 ? undefined : rest[at + 1];
      if (script !== undefined) return attemptsIn(script, hasFailed, depth + 1);
    }
    const inside = runBy(program, rest) ?? insideOf(program, rest);
    if (inside && inside.length > 0) return attemptsOfWords(programOf(inside), hasFailed, depth + 1);
  }
  return [attemptOf(program, first, rest)];
}

/** The command that a runner runs: `jest` of `npx jest`. */
function runBy(program: string, rest: readonly string[]): readonly string[] | undefined {
  if (runners.has(program)) return withoutOwnOptions(rest);
  if (program === 'python' && rest[0] === '-m') return rest.slice(1);
  if (program === 'xargs') return withoutOptions(rest);
  const args = withoutOwnOptions(rest);
  if (runnersWithVerb[program]?.has(args[0] ?? '') !== true) return undefined;
  const command = withoutOwnOptions(args.slice(1));
  return command[0] === '--' ? command.slice(1) : command;
}

function attemptOf(program: string, path: string, rest: readonly string[]): Attempt {
  const args = withoutOwnOptions(rest);
  const script = scriptOf(program, args);
  if (script) return made('script', script[0] ?? '', script.slice(1), rest);
  if (interpreters.has(program)) {
    const isInline =
      args.length === 0 || args[0] === '-' || rest.some((word) => /^-(?:c|e|p|-eval|-print)$/.test(word));
    if (isInline) return { ...made(program, '', [], rest), isInline };
  }
  const isRun = (path.includes('/') || /\.\w{1,4}$/.test(program)) && !programNames.test(program);
  // `python manage.py migrate`
  const verb = isRun || !hasSubcommands(program) || !isSubcommand.test(args[0] ?? '') ? '' : (args[0] ?? '');
  const hasTwo = verb !== '' && (twoLevels.has(program) || secondLevel.has(verb)) && isSubcommand.test(args[1] ?? '');
  const verbs = hasTwo ? [verb, args[1] ?? ''] : [verb];
  const after = verb === '' ? args : args.slice(verbs.length);
  return made(program, verbs.join(' '), isRun ? [path, ...after] : after, rest);
}

/** Programs that are often called by their path. */
const programNames = /^(?:gradlew|mvnw|python|node|ruby|pip|pytest|jest|eslint|tsc|vitest|manage\.py)$/;

function made(program: string, verb: string, args: readonly string[], all: readonly string[]): Attempt {
  const values = all.flatMap((word) => /^--?[\w-]+=(.+)$/.exec(word)?.[1] ?? []).filter((value) => /[./]/.test(value));
  const own = args.filter(isTarget);
  const inPlace = /^(?:sed|perl)$/.test(program) && all.some((word) => /^-(?:\w*i|-in-place)/.test(word));
  const isProbe = all.length === 1 && asksForVersion.test(all[0] ?? '');
  const purpose = inPlace ? 'edit' : isProbe ? 'probe' : purposeOf(program, verb, args);
  const script =
    purpose === 'run' ? nameOfScript((own[0] ?? '').replace(/^.*\//, '').replace(/\.\w{1,4}$/, '')) : undefined;
  return {
    purpose: script ?? (purpose === 'fetch' && sends(all) ? 'other' : purpose),
    program,
    verb,
    targets: few([...own, ...values].map(plainTarget)),
    isInline: false,
    isAbort: all.some((word) => word === '--abort' || word === '--quit'),
  };
}

/** Whether an argument names something: no option, number, message or pattern for everything. */
function isTarget(word: string): boolean {
  return !/^-|^\d+$|^(?:\.|\.\/\.\.\.|\*|\{\})$|\s/.test(word);
}

/** The name and arguments of a package's script. */
function scriptOf(program: string, args: readonly string[]): readonly string[] | undefined {
  if (!packageManagers.has(program)) return undefined;
  const [verb = '', name, ...rest] = args;
  // `yarn workspace web test`
  if (verb === 'workspace') return rest;
  if (verb === 'run' || verb === 'run-script') return name === undefined ? undefined : [name, ...rest];
  if (verb === '' || verb.startsWith('-') || (managing.has(verb) && verb !== 't')) return undefined;
  return [verb === 't' ? 'test' : verb, ...args.slice(1)];
}

/** Whether a request over HTTP sends something. */
function sends(words: readonly string[]): boolean {
  return words.some((word, i) => {
    if (/^(?:-d|-F|-T|--data\S*|--json|--form|--upload-file)$/.test(word)) return true;
    return /^(?:-X|--request|-Method)$/.test(word)
      ? /^(?:POST|PUT|PATCH|DELETE)$/i.test(words[i + 1] ?? '')
      : /^-X(?:POST|PUT|PATCH|DELETE)$/.test(word);
  });
}

function withoutOwnOptions(words: readonly string[]): readonly string[] {
  let start = 0;
  while (/^[-+]./.test(words[start] ?? '')) start += ownOptions.has(words[start] ?? '') ? 2 : 1;
  return words.slice(start);
}

function plainProgram(word: string): string {
  const name = word.replace(/^.*[/\\]/, '').replace(/\.(?:exe|cmd)$/i, '');
  if (name === 'nodejs') return 'node';
  return /^(?:py|python|pip|ruby|php|clang|gcc|g\+\+)[\d.]*$/.test(name)
    ? name.replace(/[\d.]+$/, '').replace(/^py$/, 'python')
    : name;
}

function plainTarget(word: string): string {
  const plain = word
    .slice(0, maxTarget)
    .replace(/^(?:https?|ssh|git|file):\/\//, '')
    .replace(/^(?:\.\/)+/, '')
    .replace(/(?:::|[#?]).*$/, '')
    .replace(/(?::\d+)+$/, '');
  return plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain;
}

function few(targets: readonly string[]): readonly string[] {
  return [...new Set(targets.filter((target) => target !== ''))].slice(0, maxTargets);
}

/** The name of a tool at the start of a title: `Read` in `Read src/a.ts`. */
function nameIn(title: string): string {
  return /^[\w.-]{1,100}/.exec(title.trim())?.[0] ?? '';
}

function wordsIn(title: string): readonly string[] {
  return title.slice(0, 500).split(/[\s`'"(),;]+/, 40);
}

/** Whether a word of a title names what the call is about. */
function isTelling(word: string, purpose: Purpose): boolean {
  return /[./\\]\w/.test(word) && (purpose !== 'other' || word.length > 3);
}

/** Without the texts that are given to commands. */
function withoutHeredocs(line: string): string {
  if (!line.includes('<<')) return line;
  const kept: string[] = [];
  let end: string | undefined;
  for (const one of line.split('\n')) {
    if (end === undefined) {
      kept.push(one);
      end = heredoc.exec(one)?.[2];
    } else if (one.trim() === end) end = undefined;
  }
  return kept.join('\n');
}
