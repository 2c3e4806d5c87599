import { posix, win32 } from 'node:path';

/** What determines where programs keep their state. */
export interface StateHome {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly home: string;
}

/**
 * The folder for journals of taps, where all of the user's windows find them: under `XDG_STATE_HOME` (XDG Base Directory Specification 0.8),
 * `~/Library/Application Support` or `LOCALAPPDATA`.
 */
export function tapFolder({ platform, env, home }: StateHome): string {
  const path = platform === 'win32' ? win32 : posix;
  return path.join(stateFolder(platform, env, home), 'agent-logs', 'taps');
}

function stateFolder(platform: string, env: StateHome['env'], home: string): string {
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env['LOCALAPPDATA'] || win32.join(home, 'AppData', 'Local');
  const state = env['XDG_STATE_HOME'];
  // The specification says to ignore relative paths.
  return state?.startsWith('/') ? state : posix.join(home, '.local', 'state');
}
