import type { Readable, Writable } from 'node:stream';

/**
 * A process that the agent leaves behind may still write, as behind a shell. What it keeps open is closed after the longest time, in
 * milliseconds, if not after some silence.
 */
const longest = 10_000;
/** A client that doesn't read stderr for this long never will, in milliseconds. */
const unreadGrace = 1000;
const step = 50;

/** An output of the agent, and where it is passed on. */
interface PassedOutput {
  readonly output: Readable;
  readonly client: Writable;
}

/**
 * Closes stdout and stderr of an agent that has exited once nobody writes to either any more. The time in which the client makes them wait
 * doesn't count.
 * @param quiet how long both may be silent, in milliseconds
 * @param repeat calls at this interval, until it is stopped
 * @returns `unread` resolves if the client doesn't read stderr
 */
export function endLeftOutput(
  stdout: PassedOutput,
  stderr: PassedOutput,
  quiet: number,
  repeat: (tick: () => void, ms: number) => () => void = repeated,
): { readonly unread: Promise<void>; readonly stop: () => void } {
  const all = [stdout, stderr];
  let silent = 0;
  let open = 0;
  let unread = 0;
  let unreadBytes = 0;
  for (const { output } of all) output.on('data', () => (silent = 0));
  let onUnread = (): void => undefined;
  const unreadLong = new Promise<void>((resolve) => (onUnread = resolve));
  const stop = repeat(() => {
    const waits = stderr.client.writableLength;
    unread = waits > 0 && waits === unreadBytes ? unread + step : 0;
    unreadBytes = waits;
    if (unread > unreadGrace) onUnread();
    const awaited = unread > unreadGrace ? [stdout] : all;
    if (awaited.some(hasToWait)) return;
    silent += step;
    open += step;
    if (silent > quiet || open > longest) for (const { output } of all) output.destroy();
  }, step);
  return { unread: unreadLong, stop };
}

/** True if its writer waits for the client. */
function hasToWait({ output, client }: PassedOutput): boolean {
  return !output.destroyed && (client.writableLength > 0 || output.isPaused());
}

function repeated(tick: () => void, ms: number): () => void {
  const timer = setInterval(tick, ms);
  return () => clearInterval(timer);
}
