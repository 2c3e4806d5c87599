import { ownHead } from '../../text/ownText';
import { BoundedMap } from '../../text/boundedMap';
import type { QuotaFact } from '../activity';
import type { QuotaWindow } from './quotaWindow';

/** Maximum number of windows, and of characters of a name. */
const [maxWindows, maxName] = [20, 60];
/** A window that resets so much later is another one, in milliseconds: agents round the time. */
const slack = 60_000;

/** A window of the account's limits, as it was reported last. */
export interface KnownQuota extends QuotaWindow {
  /** When that was, in milliseconds since the epoch. */
  readonly at: number;
}

/** The windows of the account's limits that agents reported last. */
export class Quotas {
  private readonly known = new BoundedMap<string, KnownQuota>(maxWindows);

  get all(): readonly KnownQuota[] {
    return this.known.values();
  }

  see({ windows, event }: QuotaFact): void {
    for (const { name, usedPercent, resetsAt } of windows) {
      if (!Number.isFinite(usedPercent)) continue;
      const key = ownHead(name, maxName);
      const used = Math.min(100, Math.max(0, usedPercent));
      const resets = resetsAt === undefined || resetsAt <= 0 ? {} : { resetsAt };
      this.known.set(key, { name: key, usedPercent: used, ...resets, at: event.t });
    }
  }
}

/** The newest of each window. */
export function newestQuotas(all: readonly KnownQuota[]): readonly KnownQuota[] {
  const newest = new Map<string, KnownQuota>();
  for (const quota of all) if (quota.at >= (newest.get(quota.name)?.at ?? -Infinity)) newest.set(quota.name, quota);
  return [...newest.values()];
}

/** Whether a figure is about a period that is over. */
export function isReset({ resetsAt }: KnownQuota, now: number): boolean {
  return resetsAt !== undefined && resetsAt <= now;
}

/** Whether two figures of a window are about the same period. */
export function isSamePeriod(a: KnownQuota, b: KnownQuota): boolean {
  return Math.abs((a.resetsAt ?? 0) - (b.resetsAt ?? 0)) <= slack;
}
