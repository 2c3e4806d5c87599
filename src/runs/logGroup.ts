import type { Level } from '../log/level';
import { levels, rankOf } from '../log/level';
import type { SessionSummary } from '../diagnosis/sessionSummary';
import type { SessionMode } from '../protocols/interpreter';

/** How many records of each level have come. */
export type LevelCounts = Readonly<Record<Level, number>>;

/** A session, or the connection, as far as its log tells. */
export interface LogGroup {
  /** Absent for the connection. */
  readonly id?: string | undefined;
  readonly title?: string;
  /** The session that started this one, a subagent's. */
  readonly parent?: string;
  readonly startedAt: number;
  /** When its last record came, in milliseconds since the epoch. */
  readonly lastAt: number;
  readonly counts: LevelCounts;
  /** The most severe level of its records. */
  readonly worst: Level | undefined;
  readonly ended: boolean;
  readonly modes: readonly SessionMode[];
  readonly currentMode?: string;
  /** What it does, and how it fares. */
  readonly summary?: SessionSummary;
}

/** A group as its run's log keeps it. */
export class CountedGroup implements LogGroup {
  title?: string;
  parent?: string;
  lastAt: number;
  ended = false;
  modes: readonly SessionMode[] = [];
  currentMode?: string;
  summary?: SessionSummary;
  /** The newest change that it is part of. */
  change = -1;
  /** By rank: counting happens for every record of a flood, reading hardly ever. */
  private readonly byRank = new Uint32Array(levels.length);

  constructor(
    readonly id: string | undefined,
    readonly startedAt: number,
  ) {
    this.lastAt = startedAt;
  }

  get counts(): LevelCounts {
    return Object.fromEntries(levels.map((level) => [level, this.byRank[rankOf(level)]])) as LevelCounts;
  }

  get worst(): Level | undefined {
    return levels.findLast((level) => this.byRank[rankOf(level)] !== 0);
  }

  count(level: Level, at: number): void {
    const rank = rankOf(level);
    this.byRank[rank] = (this.byRank[rank] ?? 0) + 1;
    this.lastAt = at;
  }

  forgetCounts(): void {
    this.byRank.fill(0);
  }
}
