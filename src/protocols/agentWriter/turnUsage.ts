import { ownKey } from '../../text/ownText';
import { BoundedMap } from '../../text/boundedMap';
import type { Usage } from '../../work/activity';
import type { UsageCount } from '../../work/usage/usageCounts';
import { addedCounts } from '../../work/usage/usageCounts';

/** Its parts make the total. */
const fields = addedCounts.filter((name) => name !== 'totalTokens');
const maxSessions = 1000;
/** Maximum number of calls that may be reported again. */
const maxCalls = 10_000;

type Sum = Partial<Record<UsageCount, number>>;

/** What a turn has used, without the fields that are 0. */
export type UsageSum = Readonly<Sum>;

interface Counted {
  /** What each call of the running turn has used so far. */
  readonly calls: BoundedMap<string, Sum>;
  /** The same for earlier turns. */
  earlier?: BoundedMap<string, Sum>;
  /** Of the running turn. */
  sum: Sum;
}

function newCounts(): Counted {
  return { calls: new BoundedMap(maxCalls), sum: {} };
}

/** Adds up the tokens of turns. Files repeat a call's usage on each of its records, and records in later turns. */
export class TurnUsage {
  private readonly bySession = new BoundedMap<string, Counted>(maxSessions);

  /** Returns what is new, if anything. @param key of the call; empty for calls without one, of which each turn has one */
  add(sessionId: string, key: string, usage: Usage): UsageSum | undefined {
    const { calls, earlier, sum } = this.bySession.ensure(sessionId, newCounts);
    const call = ownKey(key, 100);
    const last = earlier?.get(call);
    // Some servers give IDs again, for calls that use more.
    if (last && fields.every((field) => (usage[field] ?? 0) <= (last[field] ?? 0))) return undefined;
    const before = calls.get(call);
    // Some versions repeat the usage so far, and only the last one is complete.
    const most = { ...before };
    const news: Sum = {};
    for (const field of fields) {
      const had = before?.[field] ?? 0;
      const has = Math.max(had, usage[field] ?? 0);
      most[field] = has;
      sum[field] = (sum[field] ?? 0) + has - had;
      if (has > had) news[field] = has - had;
    }
    calls.set(call, most);
    return Object.keys(news).length === 0 ? undefined : news;
  }

  /** Returns and forgets the turn's usage. */
  take(sessionId: string): UsageSum | undefined {
    const known = this.bySession.get(sessionId);
    if (!known) return undefined;
    const used = Object.entries(known.sum).filter(([, sum]) => sum > 0);
    known.sum = {};
    for (const call of known.calls.keys()) {
      const counted = known.calls.get(call);
      if (call === '' || !counted) continue;
      (known.earlier ??= new BoundedMap(maxCalls)).set(call, counted);
    }
    known.calls.clear();
    return used.length === 0 ? undefined : Object.fromEntries(used);
  }
}
