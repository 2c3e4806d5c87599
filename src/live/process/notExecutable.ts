import type { Words } from '../../text/translator';
import { t } from '../../text/translator';
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
 * @param where where the command is set, such as `agentLogs.agents`
 */
export function notExecutable(command: string, where: string, platform: string = process.platform): Words {
  return platform === 'win32'
    ? t(
        "'{0}' isn't executable. Windows runs .exe, .cmd and .bat files: in {1}, set the program that runs it.",
        command,
        where,
      )
    : t("'{0}' isn't executable. Run chmod +x on it, or set the program that runs it in {1}.", command, where);
}
