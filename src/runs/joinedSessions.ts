import { saversIn } from '../agents/agents';
import type { SessionNow } from '../past/saved/now/stateChanges';
import type { SavedSession } from '../past/saved/savedSession';
import { isLive } from '../runLog/runView';
import { objectOf, textsOf } from '../text/json';
import type { LiveSession } from './liveSession';

/** A session of an agent that this window runs, or one that any agent saved. */
export type AnySession = LiveSession | SavedSession;

type LiveNow = SessionNow<LiveSession>;
type SavedNow = SessionNow;

export interface JoinedSessions {
  /** Each session once: as that of a run, unless its agent has ended and another program goes on with it. */
  readonly all: readonly SessionNow<AnySession>[];
  /** Those that are both. */
  readonly pairs: readonly { readonly live: LiveNow; readonly saved: SavedNow }[];
}

/**
 * Joins the sessions of this window's runs with those that agents save.
 * @param live those that changed last come last
 */
export function joinSessions(live: readonly LiveNow[], saved: readonly SavedNow[]): JoinedSessions {
  // A later run may have resumed the session of an earlier one.
  const newest = new Map(live.map((one) => [`${one.agentName} ${one.session.id}`, one]));
  const byId = new Map<string, readonly LiveNow[]>();
  for (const one of newest.values()) byId.set(one.session.id, [...(byId.get(one.session.id) ?? []), one]);
  const pairs = saved.flatMap((one) => {
    const same = byId.get(one.session.id)?.findLast((other) => isOfSameAgent(other, one));
    return same ? [{ live: same, saved: one }] : [];
  });
  const hidden = new Set(pairs.map((pair) => (isFollowed(pair.live, pair.saved) ? pair.saved : pair.live).key));
  return { all: [...newest.values(), ...saved].filter(({ key }) => !hidden.has(key)), pairs };
}

/** Joins them again only if either isn't the array of before. */
export function rejoining(): typeof joinSessions {
  let last: { live: readonly LiveNow[]; saved: readonly SavedNow[]; joined: JoinedSessions } | undefined;
  return (live, saved) => {
    if (last?.live !== live || last.saved !== saved) last = { live, saved, joined: joinSessions(live, saved) };
    return last.joined;
  };
}

function isFollowed({ session: { run } }: LiveNow, { state }: SavedNow): boolean {
  return isLive(run) || !('doing' in state);
}

/** False only if the run's program has the name of another agent. */
function isOfSameAgent({ session: { run } }: LiveNow, { session: { agent } }: SavedNow): boolean {
  const own = objectOf(run.agent?.['agentInfo'] ?? run.agent?.['info']);
  const program = run.words[0]?.replace(/^.*[\\/]/, '');
  const known = saversIn(textsOf(program, own['name'], own['title']).join(' '));
  return known.length === 0 || known.includes(agent);
}
