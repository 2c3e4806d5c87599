import { reaches } from '../text/level';
import { ownHead } from '../text/ownText';
import type { Words } from '../text/translator';
import { english, inEnglish, t } from '../text/translator';
import { BoundedMap } from '../text/boundedMap';
import type { DiagnosisData, Finding } from './diagnosis';
import { diagnosisText } from './diagnosisText';
import type { Mutable, RecordDraft } from '../text/record';

interface OneSeries {
  readonly key: string;
  readonly first: Finding;
  last: Finding;
  count: number;
  /** When the first of them occurred. */
  readonly since: number;
  reported: number;
  isOpen: boolean;
  /** Whether they differ in more than numbers. */
  isMixed: boolean;
  /** The session, if all have the same. */
  sessionId: string | undefined;
}

/** A finding that recurs with nothing but another time, line and record, and its series. */
export interface Recurring {
  readonly finding: Mutable<Finding>;
  readonly series: OneSeries;
}

/** Limit of open series; the one that was quiet the longest is closed. */
const maxSeries = 500;
/** A series ends after this time without another occurrence, in milliseconds. */
const maxPause = 60_000;
/** Limit of distinct findings per code; further ones share a series. */
const maxKeys = 50;

/**
 * Reports recurring problems once: when one first occurs, at the 10th, 100th and 1000th occurrence, and with the total when the series ends (its
 * turn or process ended, or a minute passed). Habits are reported when they first occur and when the process ends.
 */
export class SeriesOfFindings {
  private readonly open = new BoundedMap<string, OneSeries>(maxSeries);
  private readonly keys = new Map<string, Set<string>>();
  /** The one that was added to last. */
  private newest: OneSeries | undefined;
  /** Cache: no series ends before this time. */
  private nextClose = Infinity;

  /** @param write receives the records, and returns their `seq` */
  constructor(private readonly write: (draft: RecordDraft) => number) {}

  /** Returns the `seq` of the record about this occurrence, if it gets one at once. */
  add(found: Finding): number | undefined {
    const finding = bounded(found);
    const oldest = this.open.size >= maxSeries ? this.open.values()[0] : undefined;
    if (oldest) this.close(oldest, finding.at);
    const times = finding.delivery?.type === 'series' ? finding.delivery : undefined;
    const key = this.keyOf(finding);
    const known = this.open.get(key);
    if (!known && key !== scopeOf(finding)) this.keysIn(scopeOf(finding)).add(key);
    const series = known ?? {
      key,
      first: finding,
      last: finding,
      count: 0,
      since: times?.since ?? finding.at,
      reported: 0,
      isOpen: true,
      isMixed: key === scopeOf(finding),
      sessionId: finding.sessionId,
    };
    series.count = Math.max(series.count + 1, times?.count ?? 1);
    series.last = finding;
    series.isMixed ||= !isAlike(finding.what, series.first.what);
    if (finding.sessionId !== series.sessionId) series.sessionId = undefined;
    this.open.set(key, (this.newest = series));
    this.nextClose = Math.min(this.nextClose, finding.at + maxPause + 1);
    return series.reported === 0 || (isRound(series.count) && !isHabit(finding))
      ? this.report(series, finding.at)
      : undefined;
  }

  /** A finding that was just added, if it may occur very often. */
  recurring(finding: Finding): Recurring | undefined {
    const series = this.open.get(this.keyOf(finding));
    return series && { finding: { ...bounded(finding) }, series };
  }

  /** Adds another occurrence, in a fraction of the time that `add` takes. Returns false if it has to be added. */
  again({ finding, series }: Recurring, { at, raw, evidence }: Pick<Finding, 'at' | 'raw' | 'evidence'>): boolean {
    if (!series.isOpen || (!isHabit(finding) && isRound(series.count + 1))) return false;
    finding.at = at;
    finding.raw = raw;
    finding.evidence = evidence;
    series.last = finding;
    series.count++;
    if (this.newest !== series) this.open.set(series.key, (this.newest = series));
    this.nextClose = Math.min(this.nextClose, at + maxPause + 1);
    return true;
  }

  /**
   * Reports how problems ended, and ends their series.
   * @param settles their records
   */
  settle(found: Finding, problem: Finding, settles: readonly number[]): number {
    const series = this.open.get(this.keyOf(problem));
    if (series) this.close(series, found.at);
    return this.writeFinding(bounded(found), found.at, { count: 1, since: problem.at, settles });
  }

  passed(t: number): void {
    if (t < this.nextClose) return;
    this.nextClose = Infinity;
    for (const series of this.open.values()) {
      if (isHabit(series.last)) continue;
      if (t - series.last.at > maxPause) this.close(series, series.last.at + maxPause);
      else this.nextClose = Math.min(this.nextClose, series.last.at + maxPause + 1);
    }
  }

  /** A session's turn is over, which ends its series. */
  closeSession(sessionId: string, t: number): void {
    for (const series of this.open.values()) if (series.sessionId === sessionId) this.close(series, t);
  }

  closeAll(t: number): void {
    for (const series of this.open.values()) this.close(series, t);
  }

  private close(series: OneSeries, t: number): void {
    series.isOpen = false;
    this.open.delete(series.key);
    this.keys.get(scopeOf(series.first))?.delete(series.key);
    const { delivery } = series.last;
    const isOnce = delivery?.type === 'standing' && delivery.isOnce === true;
    if (series.reported < series.count && !isOnce) this.report(series, t);
  }

  private report(series: OneSeries, at: number): number {
    const { first, last, count, since, sessionId, reported } = series;
    series.reported = count;
    // A repetition isn't a new problem.
    const again = isHabit(last) ? 'info' : 'notice';
    const level = reported > 0 && reaches(last.level, again) ? again : last.level;
    const found = { ...last, level, sessionId, what: headline(series) };
    return this.writeFinding(found, Math.max(at, last.at), {
      count,
      since,
      evidence: [first.evidence, last.evidence, ...(last.moreEvidence ?? [])],
    });
  }

  private writeFinding(
    { code, level, what, advice, offers, install, sessionId, raw, evidence }: Finding,
    receivedAt: number,
    series: Pick<DiagnosisData, 'count' | 'since' | 'settles'> & {
      readonly evidence?: readonly (number | undefined)[];
    },
  ): number {
    const seqs = series.evidence ?? [evidence];
    const data: DiagnosisData = {
      code,
      ...series,
      evidence: [...new Set(seqs)].filter((seq) => seq !== undefined),
      ...(advice && { advice: inEnglish(advice) }),
      ...(offers && { offers }),
      ...(install && { install }),
    };
    const words = { what, ...(advice && { advice }) };
    return this.write({
      receivedAt,
      level,
      kind: 'diagnosis',
      ...(sessionId !== undefined && { sessionId }),
      logger: code,
      message: diagnosisText(words, english),
      words,
      data,
      ...(raw !== undefined && { raw }),
    });
  }

  /** The key of the series that the finding belongs to. Bounded, whatever an agent sends. */
  private keyOf(finding: Finding): string {
    const scope = scopeOf(finding);
    const key = `${scope} ${finding.sessionId ?? ''} ${(finding.key ?? '').slice(0, 300)}`;
    const keys = this.keysIn(scope);
    return keys.has(key) || keys.size < maxKeys ? key : scope;
  }

  /** The keys of the open series of one code and level. */
  private keysIn(scope: string): Set<string> {
    let keys = this.keys.get(scope);
    if (!keys) this.keys.set(scope, (keys = new Set()));
    return keys;
  }
}

function headline({ last, count, since, isMixed }: OneSeries): Words {
  if (count === 1) return last.what;
  return isMixed
    ? t('{0} (and {1} similar)', last.what, count - 1)
    : t('{0} ({1} times in {2})', last.what, count, { ms: last.at - since });
}

function isHabit({ delivery }: Finding): boolean {
  return delivery?.type === 'habit';
}

function scopeOf({ code, level }: Finding): string {
  return `${code} ${level}`;
}

/** Maximum length of `raw` in a diagnosis, in characters; the line's own record has all of it. */
export const maxRaw = 4096;

/** Shortens a finding that is kept for a while: its line may have many megabytes. */
export function bounded(finding: Finding): Finding {
  const { raw } = finding;
  return raw === undefined || raw.length <= maxRaw ? finding : { ...finding, raw: ownHead(raw, maxRaw) };
}

/** Whether two texts differ only in numbers, such as durations or attempts. */
function isAlike(a: Words, b: Words): boolean {
  return a === b || inEnglish(a).replace(numbers, '#') === inEnglish(b).replace(numbers, '#');
}

const numbers = /\d[\d.]*(?: (?:ms|s|min)\b)?(?: \d+ s\b)?/g;

/** Whether it is 1, 10, 100 and so on. Called for each message of a flood. */
function isRound(count: number): boolean {
  let round = 1;
  while (round < count) round *= 10;
  return round === count;
}
