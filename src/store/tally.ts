import { levels, rankOf } from '../text/level';
import type { PageColumns } from './pageColumns';
import type { Bitmap } from '../query/bitmap';
import { codeCount, meaningOf } from '../query/compiledQuery';
import type { TimeRange } from '../query/timeAxis';
import { minIdle } from '../query/timeAxis';

/** Counts of matches in stretches of time. */
export interface Histogram {
  /** Where the buckets begin, and where the last one ends; in milliseconds since the epoch. */
  readonly edges: Float64Array;
  /** Eight counts for each bucket, by level from `debug` on. */
  readonly counts: Uint32Array;
}

/** The rank of the level of each code. */
const ranks = Uint8Array.from({ length: codeCount }, (_, code) => rankOf(meaningOf(code).level));

/** Adds a page's matches to a histogram whose range includes the page's times. */
export function addToHistogram({ edges, counts }: Histogram, matches: Bitmap, page: PageColumns): void {
  if (countBetween(matches, page) === 0) return;
  const buckets = counts.length / levels.length;
  let near = 0;
  // Most records are in order of time, so the next one is in the same bucket or soon after.
  const bucketOf = (time: number): number => {
    while (near < buckets - 1 && time >= (edges[near + 1] ?? Infinity)) near++;
    while (near > 0 && time < (edges[near] ?? 0)) near--;
    return near;
  };
  const add = (bucket: number, code: number, count: number): void => {
    const at = bucket * levels.length + (ranks[code] ?? 0);
    counts[at] = (counts[at] ?? 0) + count;
  };
  const bucket = bucketOf(page.timeRange.first);
  const isInOne = bucket === bucketOf(page.timeRange.last);
  if (isInOne && isWhole(matches, page)) {
    for (let code = 0; code < codeCount; code++) add(bucket, code, page.countOf(code));
    return;
  }
  for (let at = 0; at < page.count; at++) {
    if (matches.has(page.seqAt(at))) add(isInOne ? bucket : bucketOf(page.receivedAt(at)), page.codeAt(at), 1);
  }
}

/** Adds the stretches of time in which a page has matches; gaps up to `minIdle` may be part of them. */
export function addBusy(busy: TimeRange[], matches: Bitmap, page: PageColumns): void {
  if (countBetween(matches, page) === 0) return;
  const { first, last } = page.timeRange;
  if (last - first <= minIdle) {
    busy.push({ from: first, to: last });
    return;
  }
  let [from, to] = [Infinity, -Infinity];
  const end = (): void => {
    if (to >= from) busy.push({ from, to });
  };
  for (let at = 0; at < page.count; at++) {
    if (!matches.has(page.seqAt(at))) continue;
    const time = page.receivedAt(at);
    if (time < from - minIdle || time > to + minIdle) {
      end();
      from = to = time;
    } else {
      from = Math.min(from, time);
      to = Math.max(to, time);
    }
  }
  end();
}

/** Adds how many of a page's matches there are of each code. */
export function addCodes(counts: Uint32Array, matches: Bitmap, page: PageColumns): void {
  if (countBetween(matches, page) === 0) return;
  if (isWhole(matches, page)) {
    for (let code = 0; code < codeCount; code++) counts[code] = (counts[code] ?? 0) + page.countOf(code);
    return;
  }
  for (let at = 0; at < page.count; at++) {
    if (!matches.has(page.seqAt(at))) continue;
    const code = page.codeAt(at);
    counts[code] = (counts[code] ?? 0) + 1;
  }
}

/** How many of a page's records match. */
export function countIn(matches: Bitmap, page: PageColumns): number {
  const between = countBetween(matches, page);
  if (between === 0 || between === page.lastSeq - page.firstSeq + 1) return between === 0 ? 0 : page.count;
  let count = 0;
  for (let at = 0; at < page.count; at++) if (matches.has(page.seqAt(at))) count++;
  return count;
}

/** Adds how many of a page's matches there are of each logger. */
export function addLoggers(counts: Map<string, number>, matches: Bitmap, page: PageColumns): void {
  if (countBetween(matches, page) === 0) return;
  for (let at = 0; at < page.count; at++) {
    const name = matches.has(page.seqAt(at)) ? page.loggerAt(at) : undefined;
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
}

/** How many match from a page's first record to its last, of all sessions. */
export function countBetween(matches: Bitmap, { firstSeq, lastSeq }: PageColumns): number {
  return matches.rank(lastSeq + 1) - matches.rank(firstSeq);
}

/** Whether all of a page's records are certainly matches. */
function isWhole(matches: Bitmap, page: PageColumns): boolean {
  return countBetween(matches, page) === page.lastSeq - page.firstSeq + 1;
}
