import type { AsyncFunc, Func } from 'mocha';

export const isWindows = process.platform === 'win32';
/** Whether `npm run test:windows` runs the tests: programs written in Go, such as esbuild, don't start under Wine. */
export const isWine = process.env['AGENT_LOGS_BUNDLES'] !== undefined;

/** How a process ends that is killed from outside. Windows has no signals: it reports an exit code. */
export const killed = isWindows ? { code: 1, signal: null } : { code: null, signal: 'SIGKILL' };

/** `it`, or a skipped test whose title says why. */
export function itUnless(condition: boolean, reason: string): (title: string, test: Func | AsyncFunc) => void {
  return (title, test) => {
    if (condition) it.skip(`${title} (skipped: ${reason})`, test);
    else it(title, test);
  };
}

/** For tests of what Windows doesn't have. */
export const itOnPosix = itUnless(isWindows, 'POSIX only');
/** For tests that bundle with esbuild. */
export const itWithEsbuild = itUnless(isWine, "esbuild doesn't start under Wine");

/** A command that runs JavaScript: Windows has neither `sh` nor `sleep`. */
export function script(text: string): [command: string, ...args: string[]] {
  return [process.execPath, '-e', text];
}

/** A command that writes what it reads, as `cat` does. */
export const cat = script('process.stdin.pipe(process.stdout)');
