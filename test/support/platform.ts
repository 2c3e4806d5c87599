import type { AsyncFunc, Func, Suite } from 'mocha';

export const isWindows = process.platform === 'win32';
/** Whether `npm run test:windows` runs the tests: programs written in Go, such as esbuild, don't start under Wine. */
export const isWine = isWindows && process.env['AGENT_LOGS_WINE'] !== undefined;

/** `it`, or a skipped test whose title says why. */
export function itUnless(condition: boolean, reason: string): (title: string, test: Func | AsyncFunc) => void {
  return (title, test) => {
    if (condition) it.skip(`${title} (skipped: ${reason})`, test);
    else it(title, test);
  };
}

/** `describe`, or a skipped suite whose title says why. */
export function describeUnless(
  condition: boolean,
  reason: string,
): (title: string, suite: (this: Suite) => void) => void {
  return (title, suite) => {
    if (condition) describe.skip(`${title} (skipped: ${reason})`, suite);
    else describe(title, suite);
  };
}

/** For tests of POSIX features. */
export const itOnPosix = itUnless(isWindows, 'POSIX only');
/** For tests of symbolic links to folders. */
export const itWithLinks = itUnless(isWindows, 'symbolic links need privileges on Windows');
/** For tests that bundle with esbuild. */
export const itWithEsbuild = itUnless(isWine, "esbuild doesn't start under Wine");
export const describeWithEsbuild = describeUnless(isWine, "esbuild doesn't start under Wine");

/** For tests that delete a file that is open. */
export const itIfDeletionShows = itUnless(isWine, 'Wine keeps the name of an open file');
/** For tests of a process that closes its standard output and keeps running. */
export const itIfStdoutCloses = itUnless(isWine, 'under Wine, standard output ends with its process');

/** A command that runs JavaScript: Windows has neither `sh` nor `sleep`. */
export function script(text: string): [command: string, ...args: string[]] {
  return [process.execPath, '-e', text];
}

/** A command that copies its input to its output, like `cat`. */
export const cat = script('process.stdin.pipe(process.stdout)');

/** `cat` after 1.5 s, during which it prints its progress. */
export const lateCat = script(`let step = 0;
  const timer = setInterval(() => {
    console.error('step ' + ++step);
    if (step < 6) return;
    clearInterval(timer);
    process.stdin.pipe(process.stdout);
  }, 250);`);

/** A command that exits with code 2, and whose child writes `late` to both outputs once it sees that. */
export const leavesWriter = script(`
  const options = { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true };
  const write = 'setTimeout(() => console.log("late"), 100); setTimeout(() => console.error("late"), 400)';
  const late = 'process.once("disconnect", () => {' + write + '}); process.send("ready")';
  const child = require('child_process').spawn(process.execPath, ['-e', late], options);
  child.once('message', () => process.exit(2));`);

/** A command whose child keeps its output open for 9 s. */
export const leavesChild = script(`
  const options = { stdio: ['ignore', 'inherit', 'inherit'], detached: true };
  require('child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 40000)'], options).unref();
  console.log('out');`);
