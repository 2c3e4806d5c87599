import type { KnownSession, StateChange } from '../past/saved/now/stateChanges';
import { shownLine } from '../text/text';

/** Longer values are cut, in characters. */
const [maxTitle, maxFolder] = [200, 1000];
/** Maximum number of programs that run at once, and of changes that wait for them. */
const [maxRunning, maxWaiting] = [2, 20];
/** Maximum number of times in this period, in milliseconds, that the program runs for one session. */
const [maxTimes, period] = [20, 10 * 60_000];

/** What the program gets in its environment, besides that of VS Code. */
export type AttentionVariables = Readonly<
  Record<`AGENT_LOGS_${'AGENT' | 'TITLE' | 'STATE' | 'FOLDER' | 'SESSION'}`, string>
>;

/** @param redact removes secrets */
export function attentionVariables(
  { session, agentName, state }: StateChange<KnownSession>,
  redact: (text: string) => string,
): AttentionVariables {
  const { id, title = '', folder = '' } = session;
  return {
    AGENT_LOGS_AGENT: agentName,
    AGENT_LOGS_STATE: state.type,
    AGENT_LOGS_TITLE: shownLine(redact(title), maxTitle),
    AGENT_LOGS_FOLDER: shownLine(redact(folder), maxFolder),
    AGENT_LOGS_SESSION: shownLine(redact(id), maxTitle),
  };
}

/**
 * Decides when the user's program runs: once for each change of state, not too often for a session, and with few at a time, whatever agents
 * write.
 */
export class AttentionQueue {
  private waiting: StateChange<KnownSession>[] = [];
  private asked: Promise<unknown> = Promise.resolve();
  /** The sessions that it runs for. */
  private readonly running = new Set<string>();
  /** When it ran for a session, in milliseconds since the epoch. */
  private readonly times = new Map<string, readonly number[]>();

  /** @param run settles when the program has ended */
  constructor(
    private readonly run: (change: StateChange<KnownSession>) => Promise<void>,
    private readonly now: () => number,
  ) {}

  /**
   * Adds the changes that this window tells, after those that were asked for earlier.
   * @returns when they are added; never rejects
   */
  addOwn(ask: () => Promise<readonly StateChange<KnownSession>[]>): Promise<void> {
    const added = this.asked
      .then(ask)
      .then((changes) => changes.forEach((change) => this.add(change)))
      .catch(() => undefined);
    this.asked = added;
    return added;
  }

  /** @param change a state that the session had before it was watched is none */
  add(change: StateChange<KnownSession>): void {
    if (change.isFirst || !this.mayRun(change.key)) return;
    // Only the newest state of a session is news.
    this.waiting = [...this.waiting.filter(({ key }) => key !== change.key), change].slice(-maxWaiting);
    this.next();
  }

  /** A session's programs run one after another, so that its newest state is what the last one tells. */
  private next(): void {
    if (this.running.size >= maxRunning) return;
    const change = this.waiting.find(({ key }) => !this.running.has(key));
    if (!change) return;
    this.waiting = this.waiting.filter((one) => one !== change);
    this.running.add(change.key);
    void this.run(change).finally(() => {
      this.running.delete(change.key);
      this.next();
    });
  }

  private mayRun(key: string): boolean {
    const since = this.now() - period;
    for (const [known, times] of this.times) if ((times.at(-1) ?? 0) < since) this.times.delete(known);
    const times = (this.times.get(key) ?? []).filter((at) => at >= since);
    if (times.length >= maxTimes) return false;
    this.times.set(key, [...times, this.now()]);
    return true;
  }
}
