import { BoundedMap } from '../text/boundedMap';
import type { Level } from '../text/level';
import { reaches } from '../text/level';
import type { RecordDraft } from '../text/record';
import type { DiagnosisData } from '../diagnosis/diagnosis';
import type { DiagnosisSummary } from '../diagnosis/sessionSummary';

const maxProblems = 2000;

/** A problem of a run that still holds: the record of a diagnosis of level `warning` and above. */
export interface RunProblem {
  readonly seq: number;
  /** When it was received, in milliseconds since the epoch. */
  readonly at: number;
  readonly level: Level;
  readonly code: string | undefined;
  readonly sessionId: string | undefined;
  /** The `seq` of the records that show it. */
  readonly evidence: readonly number[];
}

/** Where a problem is among all of its run. */
export interface ProblemPlace {
  readonly seq: number;
  /** From 1. */
  readonly number: number;
  readonly total: number;
}

/** The problems of a run that still hold, the newest 2000 of them: what `F8` goes through. */
export class RunProblems {
  private readonly standing = new BoundedMap<number, RunProblem>(maxProblems);

  get size(): number {
    return this.standing.size;
  }

  /** Oldest first. */
  get all(): readonly RunProblem[] {
    return this.standing.values();
  }

  add(seq: number, { level, receivedAt: at, sessionId, logger: code, data }: RecordDraft): void {
    if (!reaches(level, 'warning')) return;
    const { evidence = [] } = (data ?? {}) as Partial<DiagnosisData>;
    this.standing.set(seq, { seq, at, level, code, sessionId, evidence });
  }

  settle(seq: number): void {
    this.standing.delete(seq);
  }

  clear(): void {
    this.standing.clear();
  }

  /** The number of a problem, from 1; 0 if it isn't among them. */
  numberOf(seq: number): number {
    return this.standing.has(seq) ? this.all.findIndex((problem) => problem.seq === seq) + 1 : 0;
  }

  /** The next or the previous problem after a record, wrapping around. */
  next(seq: number, dir: 1 | -1): ProblemPlace | undefined {
    const { all } = this;
    const after = dir === 1 ? all.findIndex((one) => one.seq > seq) : all.findLastIndex((one) => one.seq < seq);
    const index = after >= 0 ? after : dir === 1 ? 0 : all.length - 1;
    const found = all[index];
    return found && { seq: found.seq, number: index + 1, total: all.length };
  }

  /** The newest record of a problem that a summary shows. */
  shownAs({ code, level }: DiagnosisSummary, sessionId: string | undefined): RunProblem | undefined {
    const isSame = (one: RunProblem): boolean => one.code === code && one.level === level;
    return this.all.findLast((one) => isSame(one) && (sessionId === undefined || one.sessionId === sessionId));
  }
}
