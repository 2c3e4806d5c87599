const faults: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGTRAP']);

/** True if a program causes this signal itself. */
export function isFault(signal: string): boolean {
  return faults.has(signal);
}
