import { posix, win32 } from 'node:path';

/** Where the machine says that programs keep their state. */
export interface StateHome {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person's home folder. */
  readonly home: string;
}

/**
 * The folder of the journals that taps write, by which the tap and every window of the person find each other: under `XDG_STATE_HOME` (XDG
 * Base Directory Specification 0.8), `~/Library/Application Support` or `LOCALAPPDATA`.
 */
export function tapFolder({ platform, env, home }: StateHome): string {
  const path = platform === 'win32' ? win32 : posix;
  return path.join(stateFolder(platform, env, home), 'agent-logs', 'taps');
}

function stateFolder(platform: string, env: StateHome['env'], home: string): string {
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env['LOCALAPPDATA'] || win32.join(home, 'AppData', 'Local');
  const state = env['XDG_STATE_HOME'];
  // The specification has relative paths ignored.
  return state?.startsWith('/') ? state : posix.join(home, '.local', 'state');
}
