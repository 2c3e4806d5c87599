import { reaches } from '../log/level';
import { ownHead } from '../log/ownText';
import { duration } from '../log/text';
import type { Words } from '../log/translator';
import { english, inEnglish, t } from '../log/translator';
import { BoundedMap } from '../protocols/boundedMap';
import type { DiagnosisData, Finding } from './diagnosis';
import { diagnosisText } from './diagnosisText';
import type { RecordDraft } from '../log/record';

interface OneSeries {
  readonly first: Finding;
  readonly evidence: number | undefined;
  last: Finding;
  lastEvidence: number | undefined;
  count: number;
  reported: number;
  /** Whether they differ in more than numbers. */
  isMixed: boolean;
  /** The session, if all have the same. */
  sessionId: string | undefined;
}

/** Limit of open series; the one that was quiet the longest is closed. */
const maxSeries = 500;
/** A series ends after this time without another occurrence, in milliseconds. */
const maxPause = 60_000;
/** Limit of distinct findings per code; further ones share a series. */
const maxKeys = 50;

/**
 * Reports recurring problems once: when one first occurs, at the 10th, 100th and 1000th occurrence, and with the total when the series ends (its
 * turn or process ended, or a minute passed).
 */
export class SeriesOfFindings {
  private readonly open = new BoundedMap<string, OneSeries>(maxSeries);
  private readonly keys = new Map<string, Set<string>>();
  /** Cache: no series ends before this time. */
  private nextClose = Infinity;

  /** @param write receives the records */
  constructor(private readonly write: (draft: RecordDraft) => void) {}

  /** @param evidence the `seq` of the record that shows it */
  add(found: Finding, evidence: number | undefined): void {
    const finding = bounded(found);
    if (this.open.size >= maxSeries) this.closeOldest(finding.at);
    const key = this.keyOf(finding);
    const series = this.open.get(key) ?? {
      first: finding,
      evidence,
      last: finding,
      lastEvidence: evidence,
      count: 0,
      reported: 0,
      isMixed: key === scopeOf(finding),
      sessionId: finding.sessionId,
    };
    series.count++;
    series.last = finding;
    series.isMixed ||= !isAlike(finding.what, series.first.what);
    if (finding.sessionId !== series.sessionId) series.sessionId = undefined;
    series.lastEvidence = evidence;
    this.open.set(key, series);
    this.nextClose = Math.min(this.nextClose, finding.at + maxPause + 1);
    if (isRound(series.count)) this.report(series, finding.at);
  }

  passed(t: number): void {
    if (t < this.nextClose) return;
    this.nextClose = Infinity;
    for (const [key, series] of this.entries()) {
      if (t - series.last.at > maxPause) this.close(key, series, series.last.at + maxPause);
      else this.nextClose = Math.min(this.nextClose, series.last.at + maxPause + 1);
    }
  }

  /** A session's turn is over, which ends its series. */
  closeSession(sessionId: string, t: number): void {
    for (const [key, series] of this.entries()) if (series.sessionId === sessionId) this.close(key, series, t);
  }

  closeAll(t: number): void {
    for (const [key, series] of this.entries()) this.close(key, series, t);
  }

  private entries(): [string, OneSeries][] {
    return this.open.keys().flatMap((key) => {
      const series = this.open.get(key);
      return series ? [[key, series] as [string, OneSeries]] : [];
    });
  }

  private closeOldest(t: number): void {
    const [oldest] = this.entries();
    if (oldest) this.close(...oldest, t);
  }

  private close(key: string, series: OneSeries, t: number): void {
    this.open.delete(key);
    this.finish(key, series, t);
  }

  private finish(key: string, series: OneSeries, t: number): void {
    this.keys.get(scopeOf(series.first))?.delete(key);
    if (series.reported < series.count && !series.last.isMomentary) this.report(series, t);
  }

  private report(series: OneSeries, at: number): void {
    const { first, last, count, sessionId } = series;
    series.reported = count;
    const { advice } = last;
    const data: DiagnosisData = {
      code: first.code,
      count,
      since: first.at,
      evidence: [...new Set([series.evidence, series.lastEvidence])].filter((seq) => seq !== undefined),
      ...(advice && { advice: inEnglish(advice) }),
    };
    const words = { what: headline(series), ...(advice && { advice }) };
    this.write({
      receivedAt: Math.max(at, last.at),
      // A repetition isn't a new problem.
      level: count > 1 && reaches(last.level, 'notice') ? 'notice' : last.level,
      kind: 'diagnosis',
      ...(sessionId !== undefined && { sessionId }),
      logger: first.code,
      message: diagnosisText(words, english),
      words,
      data,
      ...(last.raw !== undefined && { raw: last.raw }),
    });
  }

  /** The key of the series that the finding belongs to. Bounded, whatever an agent sends. */
  private keyOf(finding: Finding): string {
    const scope = scopeOf(finding);
    const key = `${scope} ${finding.sessionId ?? ''} ${(finding.key ?? '').slice(0, 300)}`;
    let keys = this.keys.get(scope);
    if (!keys) this.keys.set(scope, (keys = new Set()));
    if (!keys.has(key) && keys.size >= maxKeys) return scope;
    keys.add(key);
    return key;
  }
}

function headline({ first, last, count, isMixed }: OneSeries): Words {
  if (count === 1) return last.what;
  return isMixed
    ? t('{0} (and {1} similar)', last.what, count - 1)
    : t('{0} ({1} times in {2})', last.what, count, duration(last.at - first.at));
}

function scopeOf({ code, level }: Finding): string {
  return `${code} ${level}`;
}

/** Maximum length of `raw` in a diagnosis, in characters; the line's own record has all of it. */
const maxRaw = 4096;

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

function isRound(count: number): boolean {
  return /^10*$/.test(String(count));
}
