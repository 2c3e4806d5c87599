import type { Level } from '../text/level';
import { levels, rankOf } from '../text/level';
import type { RecordKind } from '../text/record';
import type { SessionSummary } from '../diagnosis/sessionSummary';
import type { SessionCommand, SessionMode } from '../protocols/interpreter';

/** Number of records per level. */
export type LevelCounts = Readonly<Record<Level, number>>;

/** A session or the connection, as described by its log. */
export interface LogGroup {
  /** Absent for the connection. */
  readonly id?: string | undefined;
  readonly title?: string;
  /** The session that started this subagent session. */
  readonly parent?: string;
  /** Its place among the groups of its run, in order of appearance. */
  readonly order: number;
  readonly startedAt: number;
  /** Time of its last record, in milliseconds since the epoch. */
  readonly lastAt: number;
  readonly counts: LevelCounts;
  /** The same without problems that no longer hold, and without activity: the diagnosis says which failed step is a problem. */
  readonly standing: LevelCounts;
  /** The most severe level of these. */
  readonly worst: Level | undefined;
  readonly ended: boolean;
  readonly modes: readonly SessionMode[];
  readonly currentMode?: string;
  /** What its prompts can begin with. */
  readonly commands: readonly SessionCommand[];
  /** Its current activity and problems. */
  readonly summary?: SessionSummary;
}

/** A group with counts, used by the run's log. */
export class CountedGroup implements LogGroup {
  title?: string;
  parent?: string;
  lastAt: number;
  ended = false;
  modes: readonly SessionMode[] = [];
  currentMode?: string;
  commands: readonly SessionCommand[] = [];
  summary?: SessionSummary;
  /** The newest change that includes it. */
  change = -1;
  /** Indexed by rank: updated for every record of a flood, but rarely read. */
  private readonly byRank = new Uint32Array(levels.length);
  /** How many of these are activity or no longer hold. */
  private readonly asideByRank = new Uint32Array(levels.length);

  constructor(
    readonly id: string | undefined,
    readonly order: number,
    readonly startedAt: number,
  ) {
    this.lastAt = startedAt;
  }

  get counts(): LevelCounts {
    return countsOf((level) => this.byRank[rankOf(level)] ?? 0);
  }

  get standing(): LevelCounts {
    return countsOf((level) => this.standingOf(rankOf(level)));
  }

  get worst(): Level | undefined {
    return levels.findLast((level) => this.standingOf(rankOf(level)) > 0);
  }

  count(level: Level, kind: RecordKind, at: number): void {
    const rank = rankOf(level);
    this.byRank[rank] = (this.byRank[rank] ?? 0) + 1;
    if (kind === 'activity') this.putAside(rank);
    this.lastAt = at;
  }

  settle(level: Level): void {
    const rank = rankOf(level);
    // The problem's own count may have been forgotten.
    if (this.standingOf(rank) > 0) this.putAside(rank);
  }

  forgetCounts(): void {
    this.byRank.fill(0);
    this.asideByRank.fill(0);
  }

  private putAside(rank: number): void {
    this.asideByRank[rank] = (this.asideByRank[rank] ?? 0) + 1;
  }

  private standingOf(rank: number): number {
    return (this.byRank[rank] ?? 0) - (this.asideByRank[rank] ?? 0);
  }
}

/** Not by a list of entries, which takes ten times as long: a window asks for those of all sessions. */
function countsOf(of: (level: Level) => number): LevelCounts {
  return {
    debug: of('debug'),
    info: of('info'),
    notice: of('notice'),
    warning: of('warning'),
    error: of('error'),
    critical: of('critical'),
    alert: of('alert'),
    emergency: of('emergency'),
  };
}
