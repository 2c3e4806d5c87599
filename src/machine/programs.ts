import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { pidsInProc } from './proc';
import { ProcessStarts } from './processStarts';

/** A program that runs. */
export interface RunningProgram {
  readonly pid: number;
  /** Names in the paths of its executable and its script: `gemini`, or `gemini-cli` for the folder of a package. */
  readonly names: ReadonlySet<string>;
  /** The folder that it works in; `undefined` if it works in all. */
  readonly folder: string | undefined;
  /** Milliseconds since the epoch; `undefined` if it's unknown. */
  readonly startedAt: number | undefined;
}

/** A name for the chat of VS Code, which is no program of its own. */
export const chatProgram = 'vscode-chat';

/** The programs that run with one of these names. */
export type RunningPrograms = (names: readonly string[]) => Promise<readonly RunningProgram[]>;

/** How long an answer is kept, in milliseconds. */
const keptFor = 5000;
const maxWords = 2;
/** It has the name of its user, who may be called `pi`. */
const homeFolder = /^(?:[A-Za-z]:)?[/\\](?:home|Users)[/\\][^/\\]+/;

/** Looks for programs where that is cheap: in `/proc`, or with a single `ps` and `lsof`. Windows has none. */
export function runningPrograms(platform: NodeJS.Platform = process.platform): RunningPrograms {
  const starts = new ProcessStarts(platform);
  const known = new Map<string, { readonly at: number; readonly answer: Promise<readonly RunningProgram[]> }>();
  return (names) => {
    const key = names.join(' ');
    const last = known.get(key);
    if (last && Date.now() - last.at < keptFor) return last.answer;
    const answer = platform === 'linux' ? inProc(names, starts) : platform === 'darwin' ? inPs(names, starts) : none();
    known.set(key, { at: Date.now(), answer });
    return answer;
  };
}

function none(): Promise<readonly RunningProgram[]> {
  return Promise.resolve([]);
}

async function inProc(names: readonly string[], starts: ProcessStarts): Promise<readonly RunningProgram[]> {
  const pids = await pidsInProc().catch(() => []);
  const all = pids.map(async (pid): Promise<readonly RunningProgram[]> => {
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
    const found = namesIn(words);
    if (!names.some((name) => found.has(name))) return [];
    // The folder of another user's process is hidden.
    const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
    return folder === undefined
      ? []
      : [{ pid: Number(pid), names: found, folder, startedAt: await starts.of(Number(pid)) }];
  });
  return (await Promise.all(all)).flat();
}

async function inPs(names: readonly string[], starts: ProcessStarts): Promise<readonly RunningProgram[]> {
  const lines = (await outputOf('/bin/ps', ['-xo', 'pid=,args='])).split('\n');
  const found = lines.flatMap((line) => {
    const [, pid, words = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    const inLine = namesIn(words.split(' '));
    return pid !== undefined && names.some((name) => inLine.has(name)) ? [{ pid, names: inLine }] : [];
  });
  if (found.length === 0) return [];
  const pids = found.map(({ pid }) => pid).join(',');
  const folders = foldersIn(await outputOf('/usr/sbin/lsof', ['-a', '-d', 'cwd', '-Fpn', '-p', pids]));
  const all = found.map(async ({ pid, names: of }): Promise<readonly RunningProgram[]> => {
    const folder = folders.get(pid);
    return folder === undefined
      ? []
      : [{ pid: Number(pid), names: of, folder, startedAt: await starts.of(Number(pid)) }];
  });
  return (await Promise.all(all)).flat();
}

/** The parts of the first paths of a command line, without extensions: the executable, and the script that it may run. */
export function namesIn(words: readonly string[]): ReadonlySet<string> {
  const paths = words.filter((word) => word !== '' && !word.startsWith('-')).slice(0, maxWords);
  const parts = paths.flatMap((path) => path.replace(homeFolder, '').split(/[/\\]/).slice(-6));
  return new Set(parts.map((part) => part.replace(/\.(?:exe|[cm]?js)$/, '')));
}

/** Reads lines of `p` with a PID and `n` with a folder. */
function foldersIn(output: string): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  let pid = '';
  for (const line of output.split('\n')) {
    if (line.startsWith('p')) pid = line.slice(1);
    else if (line.startsWith('n')) folders.set(pid, line.slice(1));
  }
  return folders;
}

function outputOf(path: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    // `lsof` fails if some processes are gone, but lists the others.
    execFile(path, args, { timeout: 5000 }, (_error, stdout) => resolve(stdout));
  });
}
