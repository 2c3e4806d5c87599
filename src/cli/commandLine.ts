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
export type Command = CommandOf<(typeof commands)[number]> | { readonly type: 'help' } | { readonly type: 'version' };

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
  if (['--help', '-h', 'help'].includes(first) || own.includes('--help') || own.includes('-h')) return { type: 'help' };
  if (first === '--version' || first === '-V') return { type: 'version' };
  const command = commands.find(({ name }) => name === first);
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

/** The help. */
export function usage(): string {
  const synopses = commands.map(({ name, synopsis }) => `  agent-logs ${name} ${synopsis}\n`);
  const help = commands.map((command) => `${command.help}\n\n`);
  return `Usage:
${synopses.join('')}  agent-logs --help | --version

${help.join('')}Levels: debug info notice warning error critical alert emergency
`;
}
