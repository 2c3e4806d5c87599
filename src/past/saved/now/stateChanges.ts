import { createHash } from 'node:crypto';
import type { SavedSession } from '../savedSession';
import type { SessionState, StateName } from './sessionState';
import { isSameState } from './sessionState';

/** What is known of a session, wherever it was found. */
export type KnownSession = Pick<SavedSession, 'id' | 'title' | 'folder' | 'model' | 'modifiedAt' | 'lastAt'>;

/** A recent session, and what it does. */
export interface SessionNow<S extends KnownSession = SavedSession> {
  /** Unique on this machine. */
  readonly key: string;
  readonly session: S;
  /** Display name. */
  readonly agentName: string;
  readonly state: SessionState;
  /** Its turn ended since it was watched, and nobody has looked at it. */
  readonly isUnread: boolean;
}

/** Another state than before, of another kind. */
export interface StateChange<S extends KnownSession = SavedSession> extends SessionNow<S> {
  /** `undefined` if the session is new. */
  readonly before: StateName | undefined;
  /** The session had this state when it was first looked at, before anything was known of it. */
  readonly isFirst: boolean;
}

/** Maximum number of sessions that are known. */
const maxKnown = 1000;
/** Maximum number of sessions to remember for the next window. */
const maxMarks = 200;
/** Agents write what a turn cost some time after its end, in milliseconds. */
const slack = 1000;

/** Follows the states of sessions. A function of what was found so far. */
export class StateChanges<S extends KnownSession> {
  private readonly known = new Map<string, SessionNow<S>>();
  private list: readonly SessionNow<S>[] | undefined;

  /** @param marks of the sessions that an earlier window of the user left: those that ended since are unread, too */
  constructor(private readonly marks: ReadonlySet<string> = new Set()) {}

  /** The same array until something has changed, also something else of a session than its state. */
  get all(): readonly SessionNow<S>[] {
    return (this.list ??= [...this.known.values()]);
  }

  /**
   * Takes what was found of a session.
   * @param isFirst true if its agent is looked at for the first time, so that nothing has just happened
   * @returns what has changed: `undefined` if nothing that people notice
   */
  see(
    { key, session, agentName }: Pick<SessionNow<S>, 'key' | 'session' | 'agentName'>,
    state: SessionState,
    isFirst: boolean,
  ): 'same' | 'drawn' | StateChange<S> {
    const before = this.known.get(key);
    const isOther = before?.state.type !== state.type;
    const isUnread =
      hasEnded(state) &&
      (isFirst ? this.marks.has(markOf(key)) : isOther || before.isUnread || isLater(before.state, state));
    const now: SessionNow<S> = { key, session, agentName, state, isUnread };
    this.list = undefined;
    this.known.delete(key);
    this.known.set(key, now);
    this.dropOldest();
    if (isOther) return { ...now, before: before?.state.type, isFirst };
    const isSame = isSameState(before.state, state) && before.isUnread === isUnread;
    return isSame && before.session.title === session.title ? 'same' : 'drawn';
  }

  /** Marks of the sessions that are unread, or have yet to end. */
  get marksToLeave(): readonly string[] {
    return this.all
      .flatMap(({ key, state, isUnread }) => (isUnread || 'doing' in state ? markOf(key) : []))
      .slice(-maxMarks);
  }

  /** The user has looked at a session. Returns whether that was news. */
  read(key: string): boolean {
    const known = this.known.get(key);
    if (known?.isUnread !== true) return false;
    this.list = undefined;
    this.known.set(key, { ...known, isUnread: false });
    return true;
  }

  /** Something else of the sessions has changed. */
  renew(): void {
    this.list = undefined;
  }

  /** The session is gone. */
  forget(key: string): boolean {
    this.list = undefined;
    return this.known.delete(key);
  }

  private dropOldest(): void {
    if (this.known.size <= maxKnown) return;
    for (const [key, { state }] of this.known) {
      if (state.type === 'working' || state.type === 'waiting') continue;
      this.known.delete(key);
      return;
    }
  }
}

/** Names a session in our memory, which needs to know no path. */
function markOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16);
}

type Ended = Extract<SessionState, { readonly type: 'done' | 'failed' }>;

function hasEnded(state: SessionState): state is Ended {
  return state.type === 'done' || state.type === 'failed';
}

/** Whether a whole turn came and went between two looks. */
function isLater(before: SessionState, now: Ended): boolean {
  return 'at' in before && now.at > before.at + slack;
}
