import { posix, win32 } from 'node:path';

/** The folder of the taps' files, and those of the journals and of kept sessions in it. */
const [own, journals, kept] = ['agent-logs', 'taps', 'kept'];
/** The file name of the installed tap: not `.js`, because a package.json in a folder above may have "type": "module". */
export const tapFile = 'agent-logs.cjs';

/** What determines where programs keep their state. */
export interface StateHome {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly home: string;
  /** The path of the running program, if it may be the installed tap. */
  readonly program?: string | undefined;
}

/**
 * The folder for journals of taps, where all of the user's windows find them: under `XDG_STATE_HOME` (XDG Base Directory Specification 0.8),
 * `~/Library/Application Support` or `LOCALAPPDATA`. That of the installed tap is beside its program, because some clients start it without the
 * variables that VS Code has.
 */
export function tapFolder({ platform, env, home, program = '' }: StateHome): string {
  const path = platform === 'win32' ? win32 : posix;
  const folder = path.dirname(program);
  if (path.basename(program) === tapFile && path.basename(folder) === own) return path.join(folder, journals);
  return path.join(stateFolder(platform, env, home), own, journals);
}

/** The folder beside that for copies of agents' sessions. */
export function keptFolder(machine: StateHome): string {
  const path = machine.platform === 'win32' ? win32 : posix;
  return path.join(path.dirname(tapFolder(machine)), kept);
}

function stateFolder(platform: string, env: StateHome['env'], home: string): string {
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env['LOCALAPPDATA'] || win32.join(home, 'AppData', 'Local');
  const state = env['XDG_STATE_HOME'];
  // The specification says to ignore relative paths.
  return state?.startsWith('/') ? state : posix.join(home, '.local', 'state');
}
