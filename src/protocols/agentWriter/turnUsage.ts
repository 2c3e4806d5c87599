import { ownKey } from '../../text/ownText';
import { BoundedMap } from '../../text/boundedMap';
import type { Usage } from '../../work/activity';
import type { UsageCount } from '../../work/usageCounts';
import { addedCounts } from '../../work/usageCounts';

/** Its parts make the total. */
const fields = addedCounts.filter((name) => name !== 'totalTokens');
const maxSessions = 1000;
/** Maximum number of calls to count in one turn. */
const maxCalls = 2000;

type Sum = Partial<Record<UsageCount, number>>;

/** What a turn has used, without the fields that are 0. */
export type UsageSum = Readonly<Sum>;

interface Counted {
  /** What each call has used so far. */
  readonly calls: Map<string, Sum>;
  readonly sum: Sum;
}

/** Adds up the tokens of a turn. Files repeat a call's usage on each of its records. */
export class TurnUsage {
  private readonly bySession = new BoundedMap<string, Counted>(maxSessions);

  /** Returns false if nothing is new. */
  add(sessionId: string, key: string, usage: Usage): boolean {
    const known: Counted = this.bySession.get(sessionId) ?? { calls: new Map(), sum: {} };
    this.bySession.set(sessionId, known);
    const call = ownKey(key, 100);
    const before = known.calls.get(call);
    if (!before && known.calls.size >= maxCalls) return false;
    // Some versions repeat the usage so far, and only the last one is complete.
    const most = { ...before };
    let isNews = false;
    for (const field of fields) {
      const had = before?.[field] ?? 0;
      const has = Math.max(had, usage[field] ?? 0);
      most[field] = has;
      known.sum[field] = (known.sum[field] ?? 0) + has - had;
      isNews ||= has > had;
    }
    known.calls.set(call, most);
    return isNews;
  }

  /** Returns and forgets the turn's usage. */
  take(sessionId: string): UsageSum | undefined {
    const known = this.bySession.get(sessionId);
    this.bySession.delete(sessionId);
    if (!known) return undefined;
    const used = Object.entries(known.sum).filter(([, sum]) => sum > 0);
    return used.length === 0 ? undefined : Object.fromEntries(used);
  }
}
