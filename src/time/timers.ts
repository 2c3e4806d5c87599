/** Calls once after a time, in milliseconds. Doesn't keep the process alive; in a browser, nothing has to. */
export function quietTimer(use: () => void, ms: number): NodeJS.Timeout {
  const timer = setTimeout(use, ms);
  if (typeof timer === 'object') timer.unref();
  return timer;
}

/** Settles after a time, in milliseconds. Doesn't keep the process alive. */
export function quietPause(ms: number): Promise<void> {
  return new Promise((resolve) => void quietTimer(resolve, ms));
}

/** Lets other work run. */
export function otherWork(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
