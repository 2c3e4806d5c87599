import { localDay } from '../text/format';
import { objectOf } from '../text/json';

/** What the turns of a day cost, in US dollars. The day is local. */
export interface DayTotal {
  readonly day: string;
  readonly usd: number;
}

/** The total of the day before and after a turn. */
export interface DayChange {
  readonly before: number;
  readonly after: number;
}

/** Keeps the total over reloads, and shares it with other windows. */
export interface DayMemory {
  get(): unknown;
  set(total: DayTotal): void;
}

/** Adds up what turns cost today. */
export class DayCost {
  /** Of turns that other windows may see, too, and count themselves. */
  private seen: DayTotal = { day: '', usd: 0 };

  constructor(private readonly memory: DayMemory) {}

  /**
   * Adds the cost of a turn.
   * @param at when it ended, in milliseconds since the epoch
   * @param isOwn whether only this window sees it
   * @returns `undefined` if a later day has begun
   */
  add(usd: number, at: number, isOwn: boolean): DayChange | undefined {
    const day = localDay(at);
    const kept = totalOf(this.memory.get());
    if (kept.day > day || this.seen.day > day) return undefined;
    const [own, seen] = [usdOf(kept, day), usdOf(this.seen, day)];
    if (isOwn) this.memory.set({ day, usd: own + usd });
    else this.seen = { day, usd: seen + usd };
    return { before: own + seen, after: own + seen + usd };
  }
}

function usdOf(total: DayTotal, day: string): number {
  return total.day === day ? total.usd : 0;
}

function totalOf(kept: unknown): DayTotal {
  const { day, usd } = objectOf(kept);
  return typeof day === 'string' && typeof usd === 'number' ? { day, usd } : { day: '', usd: 0 };
}
