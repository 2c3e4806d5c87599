/** Exits on signals, which kills the agents: each runs in a process group of its own, so an interrupted mocha would leave them behind. */
export function exitOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
}
