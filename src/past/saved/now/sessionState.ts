import { causeOf } from '../../../diagnosis/causes';
import type { Ongoing } from '../../../diagnosis/sessionSummary';
import type { Words } from '../../../text/translator';
import { inEnglish } from '../../../text/translator';
import type { SavedSession } from '../savedSession';

/** What a turn asks its user. */
export type Waiting = Extract<Ongoing, { readonly type: 'waiting-for-person' }>;

/** What a session does, or how its newest turn ended. `at`: when, in milliseconds since the epoch. */
export type SessionState =
  | { readonly type: 'working'; readonly doing: Ongoing }
  | { readonly type: 'waiting'; readonly doing: Waiting }
  | { readonly type: 'done'; readonly at: number }
  /** `why`: in the agent's words. `cause`: in a few words of ours. */
  | {
      readonly type: 'failed';
      readonly at: number;
      readonly why?: string | undefined;
      readonly cause?: Words | undefined;
    }
  /** Interrupted, left in the middle of a turn, or without one. */
  | { readonly type: 'idle'; readonly at: number };

export type FailedState = Extract<SessionState, { readonly type: 'failed' }>;

export type StateName = SessionState['type'];

/** True if the process of a session is in the middle of a turn, so that its records say what it does. */
export function isInTurn({ outcome, running, marked }: SavedSession): boolean {
  if (running === undefined || marked?.type === 'idle') return false;
  // Without an outcome, the end of the file is a long result of a tool, or the like.
  return marked !== undefined || outcome === 'open' || outcome === undefined;
}

/** @param doing what its records say, if `isInTurn` */
export function stateOf(session: SavedSession, doing?: Ongoing): SessionState {
  const { outcome, modifiedAt, lastAt = modifiedAt } = session;
  if (isInTurn(session)) return inTurn(session, doing);
  if (outcome === 'error') return failedState(session);
  return { type: outcome === 'ok' ? 'done' : 'idle', at: lastAt };
}

/** Of a session whose newest turn failed. */
export function failedState({ problem, failure, modifiedAt, lastAt = modifiedAt }: SavedSession): FailedState {
  return { type: 'failed', at: lastAt, why: problem, cause: failure && causeOf(failure) };
}

function inTurn({ marked, modifiedAt, lastAt = modifiedAt }: SavedSession, doing: Ongoing | undefined): SessionState {
  if (doing?.type === 'waiting-for-person') return { type: 'waiting', doing };
  if (marked?.type === 'waiting') {
    const { asking, since } = marked;
    const subject = doing?.type === 'running-tool' ? { subject: doing.title } : {};
    return { type: 'waiting', doing: { type: 'waiting-for-person', asking, since, ...subject } };
  }
  return { type: 'working', doing: doing ?? { type: 'waiting-for-model', since: marked?.since ?? lastAt } };
}

/** True if people would notice no difference. */
export function isSameState(one: SessionState, other: SessionState): boolean {
  switch (one.type) {
    case 'working':
      return other.type === one.type && one.doing.type === other.doing.type && titleOf(one) === titleOf(other);
    case 'waiting': {
      const { asking, subject, since } = one.doing;
      if (other.type !== one.type) return false;
      return asking === other.doing.asking && subject === other.doing.subject && since === other.doing.since;
    }
    case 'failed':
      return other.type === one.type && one.at === other.at && reasonOf(one) === reasonOf(other);
    default:
      return other.type === one.type && one.at === other.at;
  }
}

function reasonOf({ why, cause }: FailedState): string {
  return `${cause ? inEnglish(cause) : ''} ${why ?? ''}`;
}

function titleOf({ doing }: Extract<SessionState, { readonly type: 'working' }>): string {
  return 'title' in doing ? doing.title : '';
}

/** A database has many sessions, and a copied file the ID of another. */
export function keyOf({ path, id }: Pick<SavedSession, 'path' | 'id'>): string {
  return `${path} ${id}`;
}
