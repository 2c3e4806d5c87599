import type { Usage } from '../../../work/activity';
import type { UsageCount } from '../../../work/usage/usageCounts';
import { addedCounts } from '../../../work/usage/usageCounts';

/** What a sum over a session has that no record of a request says, such as a compaction. */
export class SessionSum {
  private readonly counted: Partial<Record<UsageCount, number>> = {};

  /** A request that has a record, of the session itself or copied from its origin. */
  count(usage: Usage): void {
    for (const name of addedCounts) this.counted[name] = (this.counted[name] ?? 0) + (usage[name] ?? 0);
  }

  /** Returns what a sum has besides what was counted, and counts it; `undefined` for nothing. A sum may lack what other processes used. */
  restOf(sum: Usage): Usage | undefined {
    const rest: Partial<Record<UsageCount, number>> = {};
    for (const name of addedCounts) {
      const more = (sum[name] ?? 0) - (this.counted[name] ?? 0);
      if (more > 0) rest[name] = more;
    }
    if (Object.keys(rest).length === 0) return undefined;
    this.count({ ...rest, basis: 'turn' });
    return { ...rest, basis: 'turn' };
  }
}
