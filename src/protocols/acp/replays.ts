import type { OpenRequest } from '../../work/requests';
import type { AcpSession, AcpSessions } from './session';
import type { Subagents } from './subagents';

/** Requests during which the agent sends a session's history. */
const replaying = new Set(['session/load', 'session/resume']);

/** Tells history from live updates: history comes before the answer to `session/load` or `session/resume`, or before `replay_complete`. */
export class Replays {
  /** How many sessions are being loaded. */
  private open = 0;

  constructor(
    private readonly sessions: AcpSessions,
    private readonly subagents: Pick<Subagents, 'lineage'>,
  ) {}

  begin({ method, direction, sessionId }: OpenRequest): void {
    if (direction !== 'out' || sessionId === undefined || !replaying.has(method)) return;
    const session = this.sessions.of(sessionId);
    if (session.replayed === undefined) this.open++;
    session.replayed = 0;
  }

  /** Handles the answer to a request. Returns the number of replayed updates. */
  end({ method, sessionId }: OpenRequest): number {
    if (sessionId === undefined || !replaying.has(method)) return 0;
    const session = this.sessions.of(sessionId);
    const count = session.replayed;
    if (count === undefined) return 0;
    session.replayed = undefined;
    this.open--;
    if (this.open === 0) for (const one of this.sessions.values()) one.isReplayComplete = false;
    return count;
  }

  /** Returns whether an update of this session is history, and counts it if so. */
  count(sessionId: string): boolean {
    const root = this.rootOf(sessionId);
    if (root?.replayed === undefined) return false;
    root.replayed++;
    return true;
  }

  isReplaying(sessionId: string | undefined): boolean {
    return sessionId !== undefined && this.rootOf(sessionId) !== undefined;
  }

  /** Handles `replay_complete`: updates are live from here on. */
  completed(sessionId: string): void {
    if (this.open > 0) this.sessions.of(sessionId).isReplayComplete = true;
  }

  /** Forgets replays that the end of the process cut short. */
  clear(): void {
    this.open = 0;
  }

  private rootOf(sessionId: string): AcpSession | undefined {
    if (this.open === 0) return undefined;
    for (const id of this.subagents.lineage(sessionId)) {
      const session = this.sessions.get(id);
      if (session?.isReplayComplete === true) return undefined;
      if (session?.replayed !== undefined) return session;
    }
    return undefined;
  }
}
