import { check } from './commands/check';
import { checkMcp } from './commands/checkMcp';
import { exportCommand } from './commands/export';
import { mcp } from './commands/mcp';
import { replay } from './commands/replay';
import { sessions } from './commands/sessions';
import { share } from './commands/share';
import { tail } from './commands/tail';
import { tap } from './commands/tap';
import type { Running, TerminalCommand } from './terminalCommand';
import { UsageError } from './usageError';

/** All commands, in the order of the help. What they do is loaded when they run. */
const commands = [tap, tail, sessions, check, checkMcp, replay, share, exportCommand, mcp] as const;

type CommandOf<Entry> =
  Entry extends TerminalCommand<infer Name, infer Options> ? { readonly type: Name } & Options : never;

/** A parsed command line. */
export type Command = CommandOf<(typeof commands)[number]> | Help | { readonly type: 'version' };

interface Help {
  readonly type: 'help';
  /** One command only. */
  readonly of?: string;
}

/**
 * Parses the arguments after the program's name.
 * @throws UsageError
 */
export function parseCommandLine(words: readonly string[]): Command {
  const [first, ...rest] = words;
  const own = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  const [last = '', ...others] = commands.map(({ name }) => `"${name}"`).reverse();
  const list = `${others.reverse().join(', ')} and ${last}`;
  if (first === undefined) throw new UsageError(`Name a command: ${list}.`);
  const named = (word?: string): (typeof commands)[number] | undefined => commands.find(({ name }) => name === word);
  if (['--help', '-h', 'help'].includes(first)) return helpOf(named(rest[0])?.name);
  if (first === '--version' || first === '-V') return { type: 'version' };
  const command = named(first);
  if (own.includes('--help') || own.includes('-h')) return helpOf(command?.name);
  if (!command) throw new UsageError(`Unknown command "${first}". The commands are ${list}.`);
  return { type: command.name, ...command.parse(rest) } as Command;
}

/** Runs a parsed command. Returns its exit code; `undefined` if it exits by itself. */
export function runCommand(
  command: Exclude<Command, { readonly type: 'help' | 'version' }>,
  running: Running,
): Promise<number | undefined> {
  const found = commands.find(({ name }) => name === command.type);
  const run = found?.run as TerminalCommand<string, typeof command>['run'] | undefined;
  return run ? run(command, running) : Promise.resolve(undefined);
}

function helpOf(of: string | undefined): Help {
  return { type: 'help', ...(of !== undefined && { of }) };
}

/** The help. @param of the name of a command; default: all of it */
export function usage(of?: string): string {
  const isAll = of === undefined;
  const shown = commands.filter(({ name }) => isAll || name === of);
  const synopses = shown.map(({ name, synopsis }) => `  agent-logs ${name} ${synopsis}\n`);
  const help = shown.map((command) => `${command.help}\n\n`);
  return `Usage:
${synopses.join('')}${isAll ? '  agent-logs --help | --version\n' : ''}
${help.join('')}Levels: debug info notice warning error critical alert emergency
${isAll ? '\n"agent-logs COMMAND --help" prints the help of one command.\n' : ''}`;
}
