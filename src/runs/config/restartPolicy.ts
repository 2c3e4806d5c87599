import type { Protocol } from '../../log/protocol';

/** What to do about a crash. */
export type RestartDecision =
  /** Restart after this many milliseconds. */
  | { readonly type: 'restart'; readonly after: number }
  /** It crashed too often: this many times `within` this many milliseconds. */
  | { readonly type: 'give-up'; readonly crashes: number; readonly within: number }
  /** Its command runs once, for the prompt in its arguments: running it again would repeat what that costs and does. */
  | { readonly type: 'one-shot' };

/** How many restarts are tried within the window, each later than the one before. */
const budget = 4;
const windowMs = 3 * 60_000;
const firstDelay = 1000;

/** Decides whether a crashed agent is started again: with a backoff, and a budget in a time window rather than in a loop. */
export class RestartPolicy {
  private readonly crashes = new Map<string, number[]>();

  /** @param now milliseconds since the epoch */
  constructor(private readonly now: () => number) {}

  /** An agent has crashed. */
  decide(agent: string, protocol: Protocol): RestartDecision {
    if (protocol === 'stream-json') return { type: 'one-shot' };
    const now = this.now();
    // A clock that was set back must not keep old crashes for ever.
    const recent = (this.crashes.get(agent) ?? []).filter((at) => at <= now && now - at < windowMs);
    recent.push(now);
    this.crashes.set(agent, recent);
    if (recent.length > budget) return { type: 'give-up', crashes: recent.length, within: windowMs };
    return { type: 'restart', after: firstDelay * 2 ** (recent.length - 1) };
  }

  /** The person has started it themselves: it has its budget back. */
  forgive(agent: string): void {
    this.crashes.delete(agent);
  }
}
