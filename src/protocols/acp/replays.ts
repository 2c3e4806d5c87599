import type { OpenRequest } from '../../work/requests';
import type { Subagents } from './subagents';

/** Requests during which the agent sends a session's history. */
const replaying = new Set(['session/load', 'session/resume']);
const maxReplays = 100;

/** Tells history from live updates: history comes before the answer to `session/load` or `session/resume`, or before `replay_complete`. */
export class Replays {
  /** Number of updates so far, by the session being loaded. */
  private readonly open = new Map<string, number>();
  /** Sessions whose history is complete while their root's isn't. */
  private readonly complete = new Set<string>();

  constructor(private readonly subagents: Pick<Subagents, 'lineage'>) {}

  begin({ method, direction, sessionId }: OpenRequest): void {
    if (direction !== 'out' || sessionId === undefined || !replaying.has(method)) return;
    if (this.open.size < maxReplays) this.open.set(sessionId, 0);
  }

  /** Handles the answer to a request. Returns the number of replayed updates. */
  end({ method, sessionId }: OpenRequest): number {
    if (sessionId === undefined || !replaying.has(method)) return 0;
    const count = this.open.get(sessionId) ?? 0;
    this.open.delete(sessionId);
    if (this.open.size === 0) this.complete.clear();
    return count;
  }

  /** Returns whether an update of this session is history, and counts it if so. */
  count(sessionId: string): boolean {
    const root = this.rootOf(sessionId);
    if (root === undefined) return false;
    this.open.set(root, (this.open.get(root) ?? 0) + 1);
    return true;
  }

  isReplaying(sessionId: string | undefined): boolean {
    return sessionId !== undefined && this.rootOf(sessionId) !== undefined;
  }

  /** Handles `replay_complete`: updates are live from here on. */
  completed(sessionId: string): void {
    if (this.open.size > 0) this.complete.add(sessionId);
  }

  /** Forgets replays that the end of the process cut short. */
  clear(): void {
    this.open.clear();
    this.complete.clear();
  }

  private rootOf(sessionId: string): string | undefined {
    if (this.open.size === 0) return undefined;
    for (const id of this.subagents.lineage(sessionId)) {
      if (this.complete.has(id)) return undefined;
      if (this.open.has(id)) return id;
    }
    return undefined;
  }
}
