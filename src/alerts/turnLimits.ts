import { BoundedMap } from '../text/boundedMap';
import type { Words } from '../text/translator';
import { t } from '../text/translator';
import type { Span } from '../timeline/span';
import { contextIn, contextShare } from '../timeline/usageText';
import type { Usage } from '../work/activity';
import type { Turn } from '../work/turn';
import type { Measure } from './alert';
import type { DayChange } from './dayCost';

const maxKnown = 1000;
const minute = 60_000;

/** A limit that was reached. */
export interface LimitReached {
  readonly what: Words;
  /** ID of the turn that reached it. */
  readonly turn: string;
  readonly sessionId: string | undefined;
}

export interface Limit {
  readonly measure: Measure;
  readonly value: number;
}

type RunningTurn = Pick<Turn, 'id' | 'sessionId' | 'startedAt' | 'usage'>;
export type FinishedTurn = Pick<Span, 'id' | 'sessionId' | 'startedAt' | 'endedAt' | 'usage'>;

/** Checks the turns of a run against one limit. A function of turns and times. */
export class TurnLimit {
  /** Turns, or sessions for the context, that have reached it. */
  private readonly reached = new BoundedMap<string, true>(maxKnown);

  constructor(private readonly limit: Limit) {}

  /** Checks a running turn. */
  running(turn: RunningTurn, now: number): LimitReached | undefined {
    switch (this.limit.measure) {
      case 'turnMinutes':
        return this.minutes(turn, now);
      case 'costPerTurn':
        return this.costPerTurn(turn);
      case 'context':
        return this.context(turn);
      case 'costPerDay':
      case 'limit':
        return undefined;
    }
  }

  /** When a running turn reaches it, if nothing happens until then; in milliseconds since the epoch. */
  dueAt({ id, startedAt }: RunningTurn): number {
    const { measure, value } = this.limit;
    return measure === 'turnMinutes' && !this.reached.has(id) ? startedAt + value * minute : Infinity;
  }

  /**
   * Checks a turn that has ended.
   * @param day how it changed the total cost of the day
   */
  finished(turn: FinishedTurn, day: DayChange | undefined): LimitReached | undefined {
    switch (this.limit.measure) {
      case 'turnMinutes':
        return turn.endedAt === undefined ? undefined : this.minutes(turn, turn.endedAt);
      case 'costPerTurn':
        return this.costPerTurn(turn);
      case 'context':
        return this.context(turn);
      case 'costPerDay':
        return day && this.costPerDay(turn, day);
      case 'limit':
        return undefined;
    }
  }

  private minutes(turn: Pick<FinishedTurn, 'id' | 'sessionId' | 'startedAt'>, now: number): LimitReached | undefined {
    const { value } = this.limit;
    if (now - turn.startedAt < value * minute) return undefined;
    return this.once(turn.id, turn, t('The turn has been running for {0}', { ms: value * minute }));
  }

  private costPerTurn(turn: FinishedTurn | RunningTurn): LimitReached | undefined {
    const cost = costOf(turn.usage);
    const { value } = this.limit;
    if (cost < value) return undefined;
    return this.once(
      turn.id,
      turn,
      t('The turn cost {0}, which reaches the limit of {1}', { usd: cost }, { usd: value }),
    );
  }

  /** Once when a session gets there, and again after it was below. */
  private context(turn: FinishedTurn | RunningTurn): LimitReached | undefined {
    const { tokens = 0, window = 0 } = contextIn(turn.usage);
    const share = contextShare(contextIn(turn.usage));
    if (share === undefined) return undefined;
    const percent = share * 100;
    const key = turn.sessionId ?? '';
    if (percent >= this.limit.value) {
      return this.once(
        key,
        turn,
        t('The context is {0} % full ({1} of {2} tokens)', Math.floor(percent), tokens, window),
      );
    }
    this.reached.delete(key);
    return undefined;
  }

  /** When the day's total gets there. */
  private costPerDay({ id, sessionId }: FinishedTurn, { before, after }: DayChange): LimitReached | undefined {
    const { value } = this.limit;
    if (before >= value || after < value) return undefined;
    const what = t("Today's turns cost {0}, which reaches the limit of {1}", { usd: after }, { usd: value });
    return { what, turn: id, sessionId };
  }

  private once(
    key: string,
    { id, sessionId }: Pick<FinishedTurn, 'id' | 'sessionId'>,
    what: Words,
  ): LimitReached | undefined {
    if (this.reached.has(key)) return undefined;
    this.reached.set(key, true);
    return { what, turn: id, sessionId: sessionId === '' ? undefined : sessionId };
  }
}

/** The cost of a turn, in US dollars; 0 if unknown. */
export function costOf(usage: Usage | undefined): number {
  return usage?.basis === 'cumulative' ? 0 : (usage?.costUsd ?? 0);
}
