/** What the parts of a path stand for that a shell, or the Explorer of Windows, would expand. */
export interface PathContext {
  /** As `process.platform`. */
  readonly platform: string;
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Expands `~` at the beginning of a path, and on Windows `%NAME%` anywhere in it: people paste commands and folders from a terminal or from
 * the settings of another client. A variable that isn't set stays in the text, like in cmd.exe.
 */
export function expandPath(path: string, { platform, userHome, env }: PathContext): string {
  const isWindows = platform === 'win32';
  const expanded = isWindows ? path.replace(/%([^%]+)%/g, (whole, name: string) => variable(env, name) ?? whole) : path;
  const startsAtHome = isWindows ? /^~(?=$|[\\/])/ : /^~(?=$|\/)/;
  return expanded.replace(startsAtHome, () => userHome);
}

/** Names of variables have no case on Windows. */
function variable(env: PathContext['env'], name: string): string | undefined {
  const key = Object.keys(env).find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : env[key];
}
