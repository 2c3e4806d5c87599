import { BoundedMap } from '../text/boundedMap';
import { rankOf, reaches } from '../text/level';
import type { Finding, SettledProblem } from './diagnosis';
import { bounded } from './series';
import type { DiagnosisSummary } from './sessionSummary';

const maxOpen = 500;
const maxSessions = 1000;
/** Limit of the sessions whose rows show the same problem. */
const maxRows = 100;
/** Limit of the records about one problem. */
const maxRecords = 10;

/** A problem that may be settled. */
export interface OpenProblem {
  latest: Finding;
  records: readonly Pick<SettledProblem, 'seq' | 'level' | 'sessionId'>[];
  /** Occurrences without a record yet, oldest first, and until when they wait, in milliseconds since the epoch. */
  waiting: readonly Finding[];
  until: number;
  /** What rows show of it, by session. */
  readonly rows: BoundedMap<string | undefined, DiagnosisSummary>;
}

/** The problems of a run that hold: those that may be settled by subject, of others the worst. */
export class Problems {
  private readonly open = new BoundedMap<string, OpenProblem>(maxOpen);
  /** By session, the worst of those that can't be settled. */
  private readonly lasting = new BoundedMap<string | undefined, DiagnosisSummary>(maxSessions);

  /** @param add writes the record about a finding, if it gets one at once, and returns its `seq` */
  constructor(private readonly add: (finding: Finding) => number | undefined) {}

  get isWaiting(): boolean {
    return this.open.find(({ waiting }) => waiting.length > 0) !== undefined;
  }

  /** The worst problem of a session, or of what belongs to none. */
  worstOf(sessionId: string | undefined): DiagnosisSummary | undefined {
    return worstIn([this.lasting.get(sessionId), ...this.open.values().map(({ rows }) => rows.get(sessionId))]);
  }

  /** The worst problem of the run. */
  get worst(): DiagnosisSummary | undefined {
    return worstIn([...this.lasting.values(), ...this.open.values().flatMap(({ rows }) => rows.values())]);
  }

  /** Returns what rows show of a finding. A notice is no headline: it was dealt with, or may pass. */
  show(finding: Finding): DiagnosisSummary | undefined {
    const { sessionId, code, level, what, cause, at } = finding;
    if (!reaches(level, 'warning')) return undefined;
    const row = { code, level, what, ...(cause && { cause }), at };
    const problem = this.problemOf(finding);
    if (problem) problem.rows.set(sessionId, row);
    else this.lasting.set(sessionId, worse(this.lasting.get(sessionId), row));
    return row;
  }

  /** Writes the record of a finding, at once or when it has waited. */
  record(finding: Finding): void {
    const { delivery } = finding;
    const problem = this.problemOf(finding);
    if (problem) problem.latest = bounded(finding);
    if (delivery?.type === 'standing' && problem && delivery.patience !== undefined) {
      this.wait(problem, delivery.patience);
    } else if (delivery?.type !== 'update') this.write(finding, problem);
  }

  /** A problem no longer holds: what has waited becomes a notice. */
  settle(subject: string): OpenProblem | undefined {
    const problem = this.open.get(subject);
    if (problem) this.release(problem, 'notice');
    this.open.delete(subject);
    return problem;
  }

  /** Writes the records of problems that have waited long enough. */
  releaseThose(isOver: (problem: OpenProblem) => boolean): void {
    for (const problem of this.open.values()) if (isOver(problem)) this.release(problem);
  }

  /** Rows no longer show a session's problems from before this time, in milliseconds since the epoch. */
  forgetBefore(t: number, sessionId: string): void {
    const isOld = (row: DiagnosisSummary | undefined): boolean => row !== undefined && row.at < t;
    if (isOld(this.lasting.get(sessionId))) this.lasting.delete(sessionId);
    for (const { rows } of this.open.values()) if (isOld(rows.get(sessionId))) rows.delete(sessionId);
  }

  private problemOf(latest: Finding): OpenProblem | undefined {
    const { delivery } = latest;
    if (!delivery || !('subject' in delivery)) return undefined;
    const known = this.open.get(delivery.subject);
    const problem = known ?? { latest, records: [], waiting: [], until: 0, rows: new BoundedMap(maxRows) };
    const dropped = this.open.set(delivery.subject, problem);
    if (dropped) this.release(dropped);
    return problem;
  }

  private wait(problem: OpenProblem, patience: number): void {
    const { latest, waiting } = problem;
    if (waiting.length === 0) problem.until = latest.at + patience;
    for (const oldest of waiting.slice(0, 1 - maxRecords)) this.write(oldest, problem);
    problem.waiting = [...waiting.slice(1 - maxRecords), latest];
  }

  private release(problem: OpenProblem, level?: 'notice'): void {
    const { waiting } = problem;
    problem.waiting = [];
    for (const one of waiting) {
      problem.latest = level ? { ...one, level } : one;
      this.write(problem.latest, problem);
    }
  }

  private write(finding: Finding, problem: OpenProblem | undefined): void {
    const seq = this.add(finding);
    if (!problem || seq === undefined) return;
    const { level, sessionId } = finding;
    problem.records = [...problem.records.slice(1 - maxRecords), { seq, level, sessionId }];
  }
}

function worstIn(all: readonly (DiagnosisSummary | undefined)[]): DiagnosisSummary | undefined {
  return all.reduce((one, other) => (other ? worse(one, other) : one), undefined);
}

/** The more severe diagnosis, or the newer of two equal ones; a consequence at the same time doesn't replace its cause. */
export function worse(before: DiagnosisSummary | undefined, other: DiagnosisSummary): DiagnosisSummary {
  const isWorse =
    !before || rankOf(other.level) > rankOf(before.level) || (other.level === before.level && other.at > before.at);
  return isWorse ? other : before;
}
