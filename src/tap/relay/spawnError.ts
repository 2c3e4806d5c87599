import { existsSync, statSync } from 'node:fs';
import { inEnglish } from '../../log/translator';
import { isNotExecutable, notExecutable } from '../../runs/process/notExecutable';

/** Why a command could not be started, and what to do. */
export function spawnError(command: string, error: NodeJS.ErrnoException): string {
  if (!statSync('.', { throwIfNoEntry: false })) {
    return 'The current folder no longer exists. Start the client in another folder.';
  }
  if (isNotExecutable(command, '.', error)) {
    if (statSync(command, { throwIfNoEntry: false })?.isDirectory() === true) {
      return `'${command}' is a folder. Name the program in it after --.`;
    }
    return inEnglish(notExecutable(command, 'the command after --'));
  }
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') return `Couldn't start '${command}': ${error.message}`;
  if (command.includes('/') && existsSync(command)) {
    return `Couldn't start '${command}': the interpreter in its first line doesn't exist.`;
  }
  if (/\s/.test(command)) {
    return `The command '${command}' was not found. Don't quote the program and its arguments together.`;
  }
  return `The command '${command}' was not found. Install it, or set its full path after --.`;
}
