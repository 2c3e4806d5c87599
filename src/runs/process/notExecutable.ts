import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * Whether a command could not be started although its file is there. Windows reports a file without an extension as missing, and one that is
 * no program as an unknown error.
 * @param cwd base of relative paths
 * @param platform as `process.platform`
 */
export function isNotExecutable(
  command: string,
  cwd: string,
  { code }: NodeJS.ErrnoException,
  platform: string = process.platform,
): boolean {
  if (platform !== 'win32') return code === 'EACCES';
  const isRefused = code === 'EACCES' || code === 'ENOENT' || code === 'UNKNOWN' || code === 'EFTYPE';
  return isRefused && /[\\/]/.test(command) && existsSync(resolve(cwd, command));
}

/**
 * Describes the problem and its remedy.
 * @param where where the command is written, such as `after --`
 */
export function notExecutable(command: string, where: string, platform: string = process.platform): string {
  const remedy =
    platform === 'win32' ? 'Windows runs .exe, .cmd and .bat files: name' : 'Make it so (chmod +x), or name';
  return `"${command}" is not executable. ${remedy} the program that runs it ${where}.`;
}
