/** What `~` and variables expand to. */
export interface PathContext {
  /** As `process.platform`. */
  readonly platform: string;
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Expands `~` at the start of a path, and on Windows `%NAME%` anywhere in it, because people paste commands and folders from a terminal or from another
 * client's settings. An unset variable is kept, as in cmd.exe.
 */
export function expandPath(path: string, { platform, userHome, env }: PathContext): string {
  const isWindows = platform === 'win32';
  const expanded = isWindows
    ? path.replace(/%([^%]+)%/g, (whole, name: string) => environmentVariable(env, name) ?? whole)
    : path;
  const startsAtHome = isWindows ? /^~(?=$|[\\/])/ : /^~(?=$|\/)/;
  return expanded.replace(startsAtHome, () => userHome);
}

/** A variable on Windows, where names are case-insensitive, but not in a copy of the environment. */
export function environmentVariable(env: PathContext['env'], name: string): string | undefined {
  const key = Object.keys(env).find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : env[key];
}
