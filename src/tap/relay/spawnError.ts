import { existsSync, statSync } from 'node:fs';
import { isNotExecutable, notExecutable } from '../../runs/process/notExecutable';

/** Why a command could not be started, and what to do. */
export function spawnError(command: string, error: NodeJS.ErrnoException): string {
  if (!statSync('.', { throwIfNoEntry: false })) {
    return 'The current folder no longer exists. Start the client in one that does.';
  }
  if (isNotExecutable(command, '.', error)) {
    if (statSync(command, { throwIfNoEntry: false })?.isDirectory() === true) {
      return `"${command}" is a folder. Name the program in it after --.`;
    }
    return notExecutable(command, 'after --');
  }
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') return `"${command}" could not be started: ${error.message}`;
  if (command.includes('/') && existsSync(command)) {
    return `"${command}" could not be started: the interpreter that its first line names does not exist.`;
  }
  if (/\s/.test(command)) {
    return `The command "${command}" was not found. A program and its arguments are words of their own: no quotes around them.`;
  }
  return `The command "${command}" was not found. Install it, or give its full path after --.`;
}
