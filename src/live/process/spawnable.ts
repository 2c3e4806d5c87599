import { t } from '../../text/translator';
import { win32 } from 'node:path';
import type { LaunchSpec } from '../config/launchSpec';
import { environmentVariable } from '../../machine/shellPath';
import { readWhole } from '../../machine/wholeFile';
import { HumanError } from '../../text/humanError';
import type { ProgramSearch } from '../../machine/findProgram';
import { findProgram, searchDisk } from '../../machine/findProgram';

export interface Spawnable {
  readonly command: string;
  readonly args: readonly string[];
  /** The arguments are quoted already. */
  readonly windowsVerbatimArguments?: boolean;
}

/** The machine that a command is started on. */
export interface SpawnHost extends ProgramSearch {
  /** The text of a small file; `undefined` if it can't be read or is large. */
  readonly readText: (path: string) => Promise<string | undefined>;
}

export interface ShimTarget {
  /** Paths or names of the program; the first that exists counts. */
  readonly programs: readonly string[];
  /** These come before the caller's arguments. */
  readonly args: readonly string[];
}

const maxShimBytes = 16 * 1024;
const interpreterLine = /^ *SET "_prog=([\w.-]+)"\r?$/im;
const scriptLine = /(?:^|& )"%_prog%" ([^"%\r\n]*) "%dp0%\\([^"%\r\n]+)" +%\*[ \t]*\r?$/m;
const programLine = /^"%dp0%\\([^"%\r\n]+\.(?:exe|com))" +%\*[ \t]*\r?$/im;

/**
 * What to spawn for a command. Windows starts only programs, and Node refuses batch files without a shell (CVE-2024-27980): an npm shim
 * is replaced by the program in it, any other batch file goes through cmd.exe.
 *
 * cross-spawn runs shims in cmd.exe, too: killing that leaves the agent running, arguments of shims outside `node_modules/.bin` are
 * unquoted once too often, and cmd.exe cuts an argument at a line break.
 * @throws HumanError if an argument can't be passed to a batch file
 */
export async function spawnable(
  { command, args }: Pick<LaunchSpec, 'command' | 'args'>,
  host: SpawnHost,
): Promise<Spawnable> {
  if (host.platform !== 'win32') return { command, args };
  const file = await findProgram(command, host);
  if (file === undefined || !/\.(cmd|bat)$/i.test(file)) return { command, args };
  const program = await programOfShim(file, host);
  if (program) return { command: program.command, args: [...program.args, ...args] };
  const line = batchCommandLine(file, args);
  if (!line) {
    throw new HumanError(
      t(
        "'{0}' is the batch file {1}, which can't take arguments of several lines. Set the program that it starts as the command instead.",
        command,
        file,
      ),
      ['settings'],
    );
  }
  return { command: environmentVariable(host.env, 'COMSPEC') ?? 'cmd.exe', args: line, windowsVerbatimArguments: true };
}

/** This machine, with the environment that the command gets. */
export function spawnHost(env: ProgramSearch['env'], cwd: string): SpawnHost {
  return { ...searchDisk(env, cwd), readText: (path) => readWhole(path, maxShimBytes) };
}

/**
 * Reads a `.cmd` file as npm (its package cmd-shim) writes it for every command that it installs on Windows: an interpreter and a script,
 * or a program, with a path relative to the shim's folder.
 * @param path of the shim
 * @returns `undefined` for any other batch file, and if the shim sets variables
 */
export function npmShimTarget(path: string, text: string): ShimTarget | undefined {
  const folder = win32.dirname(path);
  if (/^@SET /im.test(text)) return undefined;
  const interpreter = interpreterLine.exec(text)?.[1];
  const [, options, script] = scriptLine.exec(text) ?? [];
  if (interpreter !== undefined && options !== undefined && script !== undefined) {
    const words = options.split(' ').filter((word) => word !== '');
    if (!words.every((word) => /^[\w@./:=,+-]+$/.test(word))) return undefined;
    return {
      programs: [win32.join(folder, `${interpreter}.exe`), interpreter],
      args: [...words, win32.join(folder, script)],
    };
  }
  const program = programLine.exec(text)?.[1];
  return program === undefined ? undefined : { programs: [win32.join(folder, program)], args: [] };
}

/**
 * The arguments for cmd.exe that run a batch file, to be passed verbatim. Quoted as Rust's standard library does since CVE-2024-24576:
 * everything is in double quotes, because it is read twice (by cmd.exe, and as `%*` by the batch file); quotes are doubled, and a
 * variable's empty substring breaks up what would expand variables.
 * @returns `undefined` if an argument has a line break, at which cmd.exe ends the command
 */
export function batchCommandLine(file: string, args: readonly string[]): readonly string[] | undefined {
  if ([file, ...args].some((text) => /[\0\r\n]/.test(text)) || file.includes('"')) return undefined;
  const line = [file, ...args].map(quoted).join(' ');
  // Extensions on, for substrings of variables; delayed expansion off, for "!"; no AutoRun; cmd.exe removes the outermost quotes.
  return ['/e:ON', '/v:OFF', '/d', '/s', '/c', `"${line}"`];
}

function quoted(text: string): string {
  // Backslashes are only special before a quote (Microsoft, "Parsing C command-line arguments").
  const escaped = text.replace(/(\\*)("|$)/g, (_, slashes: string, quote: string) => {
    return slashes + slashes + (quote === '"' ? '""' : '');
  });
  return `"${escaped.replaceAll('%', '%%cd:~,%')}"`;
}

async function programOfShim(file: string, host: SpawnHost): Promise<Spawnable | undefined> {
  const text = await host.readText(file);
  const target = text === undefined ? undefined : npmShimTarget(file, text);
  for (const name of target?.programs ?? []) {
    const program = await findProgram(name, host);
    // Version managers have interpreters that are batch files themselves.
    if (program !== undefined) return isProgram(program) ? { command: program, args: target?.args ?? [] } : undefined;
  }
  return undefined;
}

function isProgram(path: string): boolean {
  return /\.(exe|com)$/i.test(path);
}
