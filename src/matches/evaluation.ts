import type { BitmapGroup } from '../query/bitmap';
import { Bitmap } from '../query/bitmap';
import { Page } from '../store/page';
import type { PageColumns } from '../store/pageColumns';
import type { RecordStore, StoredPage } from '../store/store';
import type { Leaf, LeafCache, LeafTest } from '../runLog/leaf';
import type { PlanGroup } from './plan';
import type { RegexRunner } from '../store/regexRunner';
import { Slices } from '../time/slices';

/** Records are tested one by one if at most this share of a page is affected. */
const few = 1 / 8;
/** Number of pages to visit concurrently, so that disk reads overlap. */
const together = 4;

type TextualTest = Exclude<LeafTest, { readonly type: 'columns' }>;

interface EvaluatedTest {
  readonly test: LeafTest;
  readonly leaf: Leaf;
}

interface EvaluatedGroup {
  readonly tests: readonly EvaluatedTest[];
  readonly negated: boolean;
}

/** Evaluates a plan on the pages of a store, one page at a time. */
export class Evaluation {
  /** The records covered by all tests. */
  private readonly known: Leaf;
  private readonly groups: readonly EvaluatedGroup[];
  private epoch = -1;
  private version = -1;

  constructor(
    plan: readonly PlanGroup[],
    private readonly store: RecordStore,
    private readonly cache: LeafCache,
    private readonly regex: RegexRunner,
  ) {
    this.known = cache.newLeaf();
    this.groups = plan.map(({ tests, negated }) => ({
      tests: tests.map((test) => ({ test, leaf: cache.of(test.key) })),
      negated,
    }));
  }

  /**
   * Visits the pages with records that weren't visited yet, in slices.
   * @param isOver whether to stop
   * @param onSlice called after each slice
   * @returns false if it was stopped, or pages left memory meanwhile, so that it has to be called again
   * @throws RegexTooSlow
   */
  async visitAll(isOver: () => boolean, onSlice?: () => void): Promise<boolean> {
    const slices = new Slices();
    let open: Promise<void>[] = [];
    for (const page of this.pending()) {
      open.push(this.visit(page));
      if (open.length < together && !slices.isSpent) continue;
      await Promise.all(open);
      open = [];
      if (isOver()) return false;
      if (slices.isSpent) {
        onSlice?.();
        await slices.next();
      }
      if (isOver() || this.isStale()) return false;
    }
    await Promise.all(open);
    this.store.dropLost();
    return !isOver() && !this.isStale();
  }

  /** Pages with records that weren't visited yet, newest first, so that the newest rows are found early. */
  private pending(): readonly StoredPage[] {
    this.store.dropLost();
    const { pages, epoch } = this.store;
    if (epoch !== this.epoch) this.forgetGone(pages);
    this.epoch = epoch;
    this.version = this.store.version;
    return pages
      .filter(({ page }) => this.known.coveredOf(page) < page.count)
      .sort((a, b) => b.page.lastSeq - a.page.lastSeq);
  }

  /** Whether pages left memory since `pending` was called, so that its pages may be invalid. */
  private isStale(): boolean {
    return this.store.version !== this.version;
  }

  /** The matches among the visited records. */
  matches(): { readonly bits: Bitmap; readonly looked: number } {
    const groups = this.groups.map(({ tests, negated }): BitmapGroup => ({
      bitmaps: tests.map(({ leaf }) => leaf.bits),
      negated,
    }));
    const { bits } = this.known;
    return { bits: Bitmap.combined(bits, groups), looked: bits.count };
  }

  /**
   * Tests the records of a page.
   * @throws RegexTooSlow
   */
  private async visit(stored: StoredPage): Promise<void> {
    const { page } = stored;
    const end = page.count;
    const from = this.known.coveredOf(page);
    for (const [index, group] of this.groups.entries()) {
      const open = group.tests.filter(({ leaf }) => leaf.coveredOf(page) < end);
      if (open.length === 0) continue;
      if (open.every(({ test }) => test.type === 'columns')) {
        for (const { test, leaf } of open) markColumns(test, leaf, stored, end);
        continue;
      }
      const candidates = index === 0 ? undefined : this.candidates(page, from, end, index);
      if (candidates?.length === 0) break;
      for (const { test, leaf } of open) {
        if (test.type !== 'columns' && !(await this.testTexts(test, leaf, page, end, candidates))) return;
      }
    }
    page.markAll(from, end, this.known.bits);
    this.known.cover(page, end);
  }

  /** Runs a test that needs texts; returns whether they could be read. */
  private async testTexts(
    test: TextualTest,
    leaf: Leaf,
    page: StoredPage['page'],
    end: number,
    candidates: readonly number[] | undefined,
  ): Promise<boolean> {
    const start = leaf.coveredOf(page);
    const { places, isComplete } = this.placesToTest(test, page, start, end, candidates);
    if (places?.length !== 0) {
      const texts = page instanceof Page ? page : await page.read(test.type === 'raw' ? 'all' : 'messages');
      if (!texts || this.isStale()) return false;
      const found = await this.found(test, texts, start, end, places);
      if (this.isStale()) return false;
      for (const at of found) leaf.bits.add(page.seqAt(at));
    }
    if (isComplete) leaf.cover(page, end);
    return true;
  }

  /** Which records of a page to test, `undefined` for all, and whether that covers the whole page. */
  private placesToTest(
    test: TextualTest,
    page: PageColumns,
    start: number,
    end: number,
    candidates: readonly number[] | undefined,
  ): { readonly places: readonly number[] | undefined; readonly isComplete: boolean } {
    const limit = (end - start) * few;
    const wider = test.type === 'regex' ? undefined : this.cache.wider(test.type, test.text);
    const possible = wider && wider.coveredOf(page) >= end ? placesIn(wider.bits, page, start, end) : undefined;
    if (possible && possible.length <= limit) return { places: possible, isComplete: true };
    if (!candidates || candidates.length > limit) return { places: undefined, isComplete: true };
    return { places: candidates, isComplete: false };
  }

  /** The places that pass, among `places` or everything from `start` up to `end`. */
  private found(
    test: TextualTest,
    page: Page,
    start: number,
    end: number,
    places: readonly number[] | undefined,
  ): readonly number[] | Promise<readonly number[]> {
    switch (test.type) {
      case 'text':
        return places ? places.filter((at) => page.hasText(test.test, at)) : page.placesOfText(test.test, start);
      case 'raw':
        return places ? places.filter((at) => page.hasTextInRaw(test.test, at)) : page.placesInRaw(test.test, start);
      case 'regex':
        return this.foundByRegex(test, page, places ?? range(start, end));
    }
  }

  private async foundByRegex(
    { source, ignoresCase }: { readonly source: string; readonly ignoresCase: boolean },
    page: Page,
    places: readonly number[],
  ): Promise<readonly number[]> {
    const names = [...new Set(places.map((at) => page.loggerAt(at)))].filter((name) => name !== undefined);
    const hits = await this.regex.matches(source, ignoresCase, page.textsAt(places, names));
    const found = new Set(hits);
    const loggers = new Set(names.filter((_, n) => found.has(places.length + n)));
    return places.filter((at, n) => found.has(n) || loggers.has(page.loggerAt(at) ?? ''));
  }

  /** The places that pass all groups before this one. */
  private candidates(page: PageColumns, from: number, end: number, before: number): readonly number[] {
    let places: readonly number[] = range(from, end);
    for (const { tests, negated } of this.groups.slice(0, before)) {
      const all = tests.map(({ leaf }) => leaf.bits);
      places = places.filter((at) => all.some((bits) => bits.has(page.seqAt(at))) !== negated);
    }
    return places;
  }

  private forgetGone(pages: readonly StoredPage[]): void {
    const firstSeqs = new Set(pages.map(({ page }) => page.firstSeq));
    const oldest = pages.reduce((least, { page }) => Math.min(least, page.firstSeq), Infinity);
    const floor = oldest === Infinity ? this.store.lastSeq + 1 : oldest;
    this.cache.keep(firstSeqs, floor);
    this.known.keep(firstSeqs, floor);
    this.known.bits = new Bitmap();
    for (const { page } of pages) page.markAll(0, this.known.coveredOf(page), this.known.bits);
  }
}

function markColumns(test: LeafTest, leaf: Leaf, stored: StoredPage, end: number): void {
  if (test.type !== 'columns') return;
  test.mark(stored, leaf.coveredOf(stored.page), end, leaf.bits);
  leaf.cover(stored.page, end);
}

function placesIn(bits: Bitmap, page: PageColumns, from: number, end: number): readonly number[] {
  const places: number[] = [];
  for (let at = from; at < end; at++) if (bits.has(page.seqAt(at))) places.push(at);
  return places;
}

function range(from: number, end: number): readonly number[] {
  return Array.from({ length: Math.max(0, end - from) }, (_, n) => from + n);
}
