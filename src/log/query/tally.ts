import { levels, rankOf } from '../level';
import type { PageColumns } from '../store/pageColumns';
import type { StoredPage } from '../store/store';
import type { Bitmap } from './bitmap';
import { codeCount, meaningOf } from './compiledQuery';

/** Counts of matches in equal stretches of time. */
export interface Histogram {
  /** Of the records around the matches, in milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** Of each bucket eight counts, by level from `debug` on. */
  readonly counts: Uint32Array;
}

/** Matches by time and level. */
export function histogramOf(matches: Bitmap, pages: readonly StoredPage[], buckets: number): Histogram {
  const counts = new Uint32Array(buckets * levels.length);
  const found = pages.filter(({ page }) => between(matches, page) > 0);
  if (found.length === 0) return { from: 0, to: 0, counts };
  const from = found.reduce((least, { page }) => Math.min(least, page.timeRange.first), Infinity);
  const to = found.reduce((most, { page }) => Math.max(most, page.timeRange.last), -Infinity);
  const scale = to > from ? buckets / (to - from) : 0;
  const bucketOf = (time: number): number => Math.min(buckets - 1, Math.floor((time - from) * scale));
  const add = (bucket: number, code: number, count: number): void => {
    const at = bucket * levels.length + (ranks[code] ?? 0);
    counts[at] = (counts[at] ?? 0) + count;
  };
  for (const { page } of found) {
    const bucket = bucketOf(page.timeRange.first);
    const isInOne = bucket === bucketOf(page.timeRange.last);
    if (isInOne && isWhole(matches, page)) {
      for (let code = 0; code < codeCount; code++) add(bucket, code, page.countOf(code));
      continue;
    }
    for (let at = 0; at < page.count; at++) {
      if (!matches.has(page.seqAt(at))) continue;
      add(isInOne ? bucket : bucketOf(page.receivedAt(at)), page.codeAt(at), 1);
    }
  }
  return { from, to, counts };
}

/** How many matches there are of each code and of each session. */
export function tallyOf(
  matches: Bitmap,
  pages: readonly StoredPage[],
): { readonly codes: Uint32Array; readonly sessions: ReadonlyMap<string | undefined, number> } {
  const codes = new Uint32Array(codeCount);
  const sessions = new Map<string | undefined, number>();
  for (const { page, sessionId } of pages) {
    if (between(matches, page) === 0) continue;
    let count = 0;
    if (isWhole(matches, page)) {
      for (let code = 0; code < codeCount; code++) codes[code] = (codes[code] ?? 0) + page.countOf(code);
      ({ count } = page);
    } else {
      for (let at = 0; at < page.count; at++) {
        if (!matches.has(page.seqAt(at))) continue;
        const code = page.codeAt(at);
        codes[code] = (codes[code] ?? 0) + 1;
        count++;
      }
    }
    if (count > 0) sessions.set(sessionId, (sessions.get(sessionId) ?? 0) + count);
  }
  return { codes, sessions };
}

/** How many matches there are of each logger. */
export function loggersOf(matches: Bitmap, pages: readonly StoredPage[]): ReadonlyMap<string, number> {
  const loggers = new Map<string, number>();
  for (const { page } of pages) {
    if (between(matches, page) === 0) continue;
    for (let at = 0; at < page.count; at++) {
      const name = matches.has(page.seqAt(at)) ? page.loggerAt(at) : undefined;
      if (name !== undefined) loggers.set(name, (loggers.get(name) ?? 0) + 1);
    }
  }
  return loggers;
}

/** The rank of the level of each code. */
const ranks = Uint8Array.from({ length: codeCount }, (_, code) => rankOf(meaningOf(code).level));

/** How many match from a page's first record to its last, of all sessions. */
function between(matches: Bitmap, { firstSeq, lastSeq }: PageColumns): number {
  return matches.rank(lastSeq + 1) - matches.rank(firstSeq);
}

/** Whether all of a page's records are surely matches. */
function isWhole(matches: Bitmap, page: PageColumns): boolean {
  return between(matches, page) === page.lastSeq - page.firstSeq + 1;
}
