import { open } from 'node:fs/promises';
import { batchCommandLine } from './batchCommandLine';
import type { ProgramSearch } from './findProgram';
import { findProgram, searchDisk } from './findProgram';
import { HumanError } from '../humanError';
import type { LaunchSpec } from '../config/launchSpec';
import { npmShimTarget } from './npmShim';

/** What is handed to `spawn` for a command. */
export interface Spawnable {
  readonly command: string;
  readonly args: readonly string[];
  /** The arguments are quoted already. */
  readonly windowsVerbatimArguments?: boolean;
}

/** The machine that a command is started on. */
export interface SpawnHost extends ProgramSearch {
  /** The text of a small file; `undefined` where it cannot be read or is large. */
  readonly readText: (path: string) => Promise<string | undefined>;
}

const maxShimBytes = 16 * 1024;

/**
 * What to spawn for a command. Windows starts only programs, and Node refuses batch files without a shell (CVE-2024-27980): a shim of npm's
 * is replaced by what it runs, any other batch file goes through cmd.exe.
 * @throws HumanError where an argument cannot be handed to a batch file
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
      `"${command}" is the batch file ${file}, which takes no argument of several lines. ` +
        'Name the program that it starts as the command instead.',
      ['settings'],
    );
  }
  return { command: commandShell(host), args: line, windowsVerbatimArguments: true };
}

/** This machine, with the environment that the command gets. */
export function spawnHost(env: ProgramSearch['env'], cwd: string): SpawnHost {
  return { ...searchDisk(env, cwd), readText };
}

async function programOfShim(file: string, host: SpawnHost): Promise<Spawnable | undefined> {
  const text = await host.readText(file);
  const target = text === undefined ? undefined : npmShimTarget(file, text);
  for (const name of target?.programs ?? []) {
    const program = await findProgram(name, host);
    // It may be a batch file itself, as version managers have them.
    if (program !== undefined) return isProgram(program) ? { command: program, args: target?.args ?? [] } : undefined;
  }
  return undefined;
}

function isProgram(path: string): boolean {
  return /\.(exe|com)$/i.test(path);
}

function commandShell({ env }: SpawnHost): string {
  const key = Object.keys(env).find((name) => name.toUpperCase() === 'COMSPEC');
  return (key === undefined ? undefined : env[key]) ?? 'cmd.exe';
}

async function readText(path: string): Promise<string | undefined> {
  try {
    const file = await open(path);
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(maxShimBytes + 1));
      return bytesRead > maxShimBytes ? undefined : buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}
