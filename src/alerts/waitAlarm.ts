import type { KnownSession, SessionNow } from '../past/saved/now/stateChanges';

/** Finds sessions that have waited for their user for so long. A function of the states and the time. */
export class WaitAlarm {
  /** When each session that waits was first seen waiting, in milliseconds since the epoch. */
  private readonly waiting = new Map<string, { readonly since: number; isReported: boolean }>();

  /**
   * Those that are due now, each once for as long as it waits.
   * @param after how long, in milliseconds
   */
  due<Now extends SessionNow<KnownSession>>(sessions: readonly Now[], after: number, now: number): readonly Now[] {
    const found = sessions.filter(({ state }) => state.type === 'waiting');
    const keys = new Set(found.map(({ key }) => key));
    for (const key of this.waiting.keys()) if (!keys.has(key)) this.waiting.delete(key);
    return found.filter(({ key, state }) => {
      // A clock or a record may be wrong.
      const since = state.type === 'waiting' ? Math.min(state.doing.since, now) : now;
      const known = this.waiting.get(key) ?? { since, isReported: false };
      this.waiting.set(key, known);
      if (known.isReported || now - known.since < after) return false;
      known.isReported = true;
      return true;
    });
  }

  /** When the next one is due, in milliseconds since the epoch; `Infinity` if none waits. */
  nextAt(after: number): number {
    const open = [...this.waiting.values()].filter(({ isReported }) => !isReported);
    return Math.min(...open.map(({ since }) => since + after));
  }
}
