import type { Protocol } from '../../wire/protocol';

export type RestartDecision =
  /** Restart after this many milliseconds. */
  | { readonly type: 'restart'; readonly after: number }
  /** It crashed too often: this many times `within` this many milliseconds. */
  | { readonly type: 'give-up'; readonly crashes: number; readonly within: number }
  /** The command runs once, for the prompt in its arguments: rerunning it would repeat its costs and effects. */
  | { readonly type: 'one-shot' };

/** Maximum number of restarts within the window, with increasing delays. */
const budget = 4;
const windowMs = 3 * 60_000;
const firstDelay = 1000;

/** Decides whether to restart a crashed agent: with a backoff and a budget per time window, so that it can't loop. */
export class RestartPolicy {
  private readonly crashes = new Map<string, number[]>();

  /** @param now milliseconds since the epoch */
  constructor(private readonly now: () => number) {}

  decide(agent: string, protocol: Protocol): RestartDecision {
    if (protocol === 'stream-json') return { type: 'one-shot' };
    const now = this.now();
    // If the clock was set back, old crashes would otherwise never expire.
    const recent = (this.crashes.get(agent) ?? []).filter((at) => at <= now && now - at < windowMs);
    recent.push(now);
    this.crashes.set(agent, recent);
    if (recent.length > budget) return { type: 'give-up', crashes: recent.length, within: windowMs };
    return { type: 'restart', after: firstDelay * 2 ** (recent.length - 1) };
  }

  /** Called when the user starts the agent: resets its budget. */
  forgive(agent: string): void {
    this.crashes.delete(agent);
  }
}
