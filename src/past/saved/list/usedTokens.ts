import type { Usages } from '../../../agents/savedDatabase';
import type { DayUsed, SavedDetails } from '../../../agents/savedDetails';
import { BoundedMap } from '../../../text/boundedMap';
import { localDay } from '../../../text/format';
import type { Span } from '../../../timeline/span';
import type { Usage } from '../../../work/activity';
import type { SavedSession } from '../savedSession';

/** Of the newest days. */
const maxDays = 8;
const day = 86_400_000;

/** Tokens and cost. */
interface Used {
  readonly tokens: number;
  readonly costUsd: number;
}

export interface UsedSince extends Used {
  /** How many sessions may have used more: their files weren't read completely, or don't say. */
  readonly unsure: number;
  /** True if older sessions weren't counted. */
  readonly isCut: boolean;
}

/** What an agent's sessions used, with those that other sessions started. */
export interface UsedLately {
  readonly today: UsedSince;
  /** Today and the six days before. */
  readonly week: UsedSince;
  /** How many sessions changed in the week. */
  readonly sessions: number;
  /** True if they were used, and none of them says how much. */
  readonly isSilent: boolean;
}

/** When the week of `UsedLately` began, in milliseconds since the epoch. */
export function weekBefore(now: number): number {
  return new Date(now - 6 * day).setHours(0, 0, 0, 0);
}

/** Adds up model requests by day. */
export class DailyUse {
  private readonly days = new BoundedMap<string, Used>(maxDays);

  add(usage: Usage, at: number): void {
    const { tokens, costUsd } = usedBy(usage);
    if (at <= 0 || (tokens <= 0 && costUsd <= 0)) return;
    this.addDay({ day: localDay(at), tokens, costUsd });
  }

  addDay({ day: on, tokens, costUsd = 0 }: DayUsed): void {
    const sum = this.days.get(on) ?? { tokens: 0, costUsd: 0 };
    this.days.set(on, { tokens: sum.tokens + tokens, costUsd: sum.costUsd + costUsd });
  }

  get details(): Pick<SavedDetails, 'used'> {
    const { used } = this;
    return used ? { used } : {};
  }

  /** `undefined` if nothing was used. */
  get used(): readonly DayUsed[] | undefined {
    const days = this.days.keys().flatMap((on) => {
      const { tokens, costUsd } = this.days.get(on) ?? { tokens: 0, costUsd: 0 };
      return { day: on, tokens, ...(costUsd > 0 && { costUsd }) };
    });
    return days.length === 0 ? undefined : days;
  }
}

/** What a session used that was read completely. */
export function usedIn(spans: readonly Span[]): Pick<SavedDetails, 'used'> {
  const use = new DailyUse();
  for (const { kind, usage, endedAt, startedAt } of spans) {
    if (kind === 'turn' && usage?.basis === 'turn') use.add(usage, endedAt ?? startedAt);
  }
  return use.details;
}

/** What a session and its subagents used. */
export function usedWith(
  own: Pick<SavedDetails, 'used' | 'isPart'>,
  subagents: readonly SavedDetails[],
): Pick<SavedDetails, 'used' | 'isPart'> {
  const all = [own, ...subagents];
  const use = new DailyUse();
  for (const { used = [] } of all) for (const one of used) use.addDay(one);
  return { ...use.details, ...(all.some(({ isPart }) => isPart === true) && { isPart: true }) };
}

/** What the requests in a database used, by session. */
export function usedBySession({ requests }: Usages): ReadonlyMap<string, Pick<SavedDetails, 'used'>> {
  const uses = new Map<string, DailyUse>();
  for (const { session, usage, at } of requests) {
    const use = uses.get(session) ?? new DailyUse();
    uses.set(session, use);
    if (usage) use.add(usage, at);
  }
  return new Map([...uses].map(([id, use]) => [id, use.details]));
}

/** @param sessions that changed in the week, newest first; `max` of them at most */
export function usedLately(sessions: readonly SavedSession[], now: number, max = Infinity): UsedLately {
  const oldest = sessions[max - 1]?.modifiedAt ?? -Infinity;
  const isSilent = ({ used, outcome }: SavedSession): boolean => used === undefined && outcome === 'ok';
  const since = (start: number): UsedSince => {
    const first = localDay(start);
    const days = sessions.flatMap(({ used = [] }) => used.filter((one) => one.day >= first));
    const changed = sessions.filter(({ modifiedAt }) => modifiedAt >= start);
    return {
      tokens: days.reduce((sum, { tokens }) => sum + tokens, 0),
      costUsd: days.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0),
      unsure: changed.filter((session) => session.isPart === true || isSilent(session)).length,
      isCut: oldest >= start,
    };
  };
  return {
    today: since(new Date(now).setHours(0, 0, 0, 0)),
    week: since(weekBefore(now)),
    sessions: sessions.length,
    isSilent: sessions.some(isSilent) && sessions.every(({ used }) => used === undefined),
  };
}

function usedBy({ totalTokens, inputTokens = 0, outputTokens = 0, costUsd = 0 }: Usage): Used {
  return { tokens: totalTokens ?? inputTokens + outputTokens, costUsd };
}
