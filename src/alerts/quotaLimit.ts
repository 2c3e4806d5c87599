import { BoundedMap } from '../text/boundedMap';
import type { Words } from '../text/translator';
import { t } from '../text/translator';
import type { KnownQuota } from '../work/usage/quotas';
import { isReset, isSamePeriod } from '../work/usage/quotas';

const maxWindows = 100;

/** Checks the windows of an account's limits against one percentage. A function of what was reported, and of the time. */
export class QuotaLimit {
  /** Windows that have reached it, as they were reported then. */
  private readonly reached = new BoundedMap<string, KnownQuota>(maxWindows);

  constructor(private readonly percent: number) {}

  /** Once for each window and period. @param since what was reported before doesn't count; in milliseconds since the epoch */
  check(quotas: readonly KnownQuota[], since: number, now: number): readonly Words[] {
    return quotas.flatMap((quota) => {
      if (quota.at < since || isReset(quota, now)) return [];
      if (quota.usedPercent < this.percent) {
        this.reached.delete(quota.name);
        return [];
      }
      const before = this.reached.get(quota.name);
      this.reached.set(quota.name, quota);
      if (before && isSamePeriod(before, quota)) return [];
      return [quotaText(quota)];
    });
  }
}

function quotaText({ name, usedPercent, resetsAt }: KnownQuota): Words {
  const used = Math.floor(usedPercent);
  if (resetsAt === undefined) return t('The limit “{0}” is {1} % used', name, used);
  return t('The limit “{0}” is {1} % used, until {2}', name, used, new Date(resetsAt).toISOString());
}
