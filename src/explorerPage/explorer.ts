import type {
  AnswerOf,
  ArgsOf,
  CallName,
  LogResult,
  Pushes,
  RecordAction,
  RunInfo,
  Tab,
} from '../ui/explorer/messages';
import { firstGen } from '../ui/explorer/messages';
import type { PageState } from '../ui/explorer/pageState';
import { Cursor } from './cursor';
import { DetailsPane } from './details/detailsPane';
import { hasTimes, isContiguous, withTimes } from './filter/queryText';
import type { Grid } from './grid/grid';
import { RowCache } from './grid/rowCache';
import type { Host } from './host';
import type { Page } from './page';
import type { Texts } from './texts';
import { Timer } from './timer';
import { TurnsPane } from './turns/turnsPane';
import { WirePane } from './wire/wirePane';
import type { View } from './view';
import { firstView, stateOf } from './view';

/** While a filter is searched for, the next one is sent this long after a keystroke, in milliseconds. */
const typingDelay = 30;
/** The host gets the page's state this long after a change, in milliseconds. */
const stateDelay = 250;
/** Time until matches are counted for the first time, and until they are counted again, in milliseconds. */
const firstCount = 60;
const nextCount = 1000;
const histogramBuckets = 120;
const lists: Readonly<Record<Tab, string>> = { log: '.grid', wire: '#wire-grid', turns: '#turn-grid' };

export interface ExplorerOptions {
  readonly texts: Texts;
  readonly run: RunInfo;
  readonly state: PageState;
  readonly host: Host;
  readonly focusFilter: () => void;
  /** Saves the state for a reload. */
  keep(state: string): void;
}

/** The page's state, and what it asks its host. The view is drawn again whenever it changes. */
export class Explorer implements Page {
  readonly cache = new RowCache();
  readonly detailsPane = new DetailsPane(this);
  readonly turnsPane = new TurnsPane(this);
  readonly cursor: Cursor;
  readonly wirePane: WirePane;
  view: View;
  /** Absent until the page is drawn. */
  grid: Grid | undefined;
  /** Numbers the filters; results of earlier ones are ignored. */
  gen = firstGen;
  private epoch = -1;
  /** The filter of the rows that are shown; `gen` is the one that was asked for. */
  private shownGen = 0;
  /** Whether the newest rows stay in view while a filter is searched for. */
  sticksToEnd = false;
  private readonly listeners = new Set<() => void>();
  private readonly typing = new Timer(() => this.query());
  private readonly keeping = new Timer(() => this.ask('page.keep', { state: this.kept }));
  private readonly settling = new Timer(() => this.keepSoon());
  private readonly counting = new Timer(() => this.count());
  private kept = '';

  constructor(private readonly options: ExplorerOptions) {
    this.view = firstView(options.texts, options.run, options.state);
    this.cursor = new Cursor(this, this.detailsPane, options.state);
    this.wirePane = new WirePane(this, this.cursor);
  }

  /** How many records match. */
  get total(): number {
    return this.view.result?.total ?? 0;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  ask<Name extends CallName>(name: Name, args: ArgsOf<Name>, use?: (answer: AnswerOf<Name>) => void): void {
    this.options.host
      .call(name, args)
      .then(use, (error: unknown) => this.update({ failure: (error as Error).message }));
  }

  update(change: Partial<View>): void {
    this.view = { ...this.view, ...change };
    for (const listener of this.listeners) listener();
    this.grid?.setMarks({
      selected: this.view.selection?.index ?? -1,
      hasGaps: isContiguous(this.view.q),
      isMarked: (seq) => this.view.marks.has(seq),
    });
    this.keepSoon();
  }

  attach(grid: Grid): void {
    this.grid = grid;
    this.options.host.listen({
      result: (result) => this.onResult(result),
      run: (run) => {
        this.update({ run });
        this.cursor.locateWanted();
      },
      open: (wanted) => this.open(wanted),
      focus: this.options.focusFilter,
    });
    const { seq, isOpen } = this.options.state;
    if (isOpen && seq !== undefined) this.detailsPane.open(seq);
  }

  /** Sends the filter; the current rows stay until its result comes. */
  private query(): void {
    this.typing.stop();
    this.update({ failure: '' });
    this.gen++;
    this.ask('log.query', { gen: this.gen, q: this.view.q });
  }

  /** @param isTyped wait for more input, unless the host is idle */
  setFilter(q: string, isTyped = false): void {
    if (q === this.view.q) return;
    this.cursor.keep();
    this.update({ q, contextOf: undefined, ...(!isTyped && { completions: undefined }) });
    const { result } = this.view;
    const isIdle = !this.typing.isPending && result?.done === true && result.gen === this.gen;
    if (isTyped && !isIdle) this.typing.restart(typingDelay);
    else this.query();
  }

  /** Rows are drawn; they may have moved. */
  need(first: number, count: number): void {
    this.settling.start(stateDelay);
    for (const page of this.cache.wanted(first, count, this.total)) {
      this.ask('log.rows', page, (answer) => {
        if (answer?.epoch !== this.epoch) return;
        this.cache.put(page.from, answer.rows);
        this.grid?.draw();
        this.cursor.onRows();
      });
    }
  }

  private open({ tab, q, seq }: Pushes['open']): void {
    if (tab !== undefined) this.setTab(tab);
    if (seq !== undefined) this.cursor.reveal(seq, q);
    else if (q !== undefined) this.setFilter(q);
  }

  complete(name: `${Tab}.complete`, text: string, caret: number): void {
    this.ask(name, { text, caret }, (items) => this.update({ completions: { text, items } }));
  }

  /** Asks for the counts of the chips, then of the histogram. */
  private count(): void {
    this.ask('log.levels', {}, (levelCounts) => {
      if (!levelCounts) return;
      this.update({ levelCounts });
      this.ask('log.histogram', { buckets: histogramBuckets }, (histogram) => {
        if (histogram) this.update({ histogram: { ...histogram, counts: new Uint32Array(histogram.counts) } });
      });
    });
  }

  private onResult(result: LogResult): void {
    if (!this.grid || result.gen !== this.gen) return;
    const isNew = result.gen !== this.shownGen;
    const before = this.total;
    const hasMoved = !isNew && result.epoch !== this.epoch;
    if (isNew) this.cache.clear();
    else if (hasMoved) this.cache.invalidate();
    if (result.newest) this.cache.put(result.newest.from, result.newest.rows);
    this.shownGen = result.gen;
    this.epoch = result.epoch;
    this.sticksToEnd ||= isNew;
    const added = isNew ? 0 : Math.max(0, result.total - before);
    const isFollowing = this.view.follow;
    this.update({ result, unseen: isFollowing || isNew ? 0 : this.view.unseen + added });
    this.grid.setTotal(result.total);
    const isWanted = result.done && this.cursor.locateWanted();
    if (!isWanted && (isFollowing || this.sticksToEnd)) this.grid.showEnd();
    else if (!isWanted && hasMoved) this.cursor.onMoved();
    if (result.done) this.sticksToEnd = false;
    if (isNew) this.counting.restart(firstCount);
    else this.counting.start(nextCount);
    this.turnsPane.askSoon();
    this.wirePane.askSoon();
  }

  /** Closes the details, then leaves the context, then clears the time range. */
  escape(): void {
    if (this.view.details !== undefined) this.detailsPane.close();
    else if (this.view.contextOf !== undefined) this.cursor.toggleContext();
    else if (hasTimes(this.view.q)) this.setFilter(withTimes(this.view.q, undefined));
  }

  setFollow(follow: boolean): void {
    if (follow === this.view.follow) return;
    this.update({ follow, ...(follow && { unseen: 0 }) });
    if (follow) this.grid?.showEnd();
  }

  /** The user scrolled. */
  scrolled(isAtEnd: boolean): void {
    this.sticksToEnd = false;
    this.cursor.scrolled();
    if (isAtEnd && !this.view.follow && this.view.unseen > 0) this.update({ unseen: 0 });
    if (!isAtEnd && this.view.follow) this.update({ follow: false });
  }

  /** Goes to the next problem of the tab. */
  goToProblem(dir: 1 | -1): void {
    if (this.view.tab === 'log') this.cursor.goToProblem(dir);
    else if (this.view.tab === 'wire') this.wirePane.next(dir, 'problem');
    else this.turnsPane.next(dir, 'problem');
  }

  act(name: RecordAction, seq = this.view.selection?.seq): void {
    this.ask('record.act', { name, seqs: seq === undefined || seq === 0 ? [] : [seq] });
  }

  setTab(tab: Tab): void {
    if (tab !== this.view.tab) this.update({ tab });
  }

  showLog(): void {
    this.setTab('log');
    setTimeout(() => this.focusList()); // The tab must be rendered first.
  }

  /** Moves the focus to the list of the tab. */
  focusList(): void {
    document.querySelector<HTMLElement>(lists[this.view.tab])?.focus({ preventScroll: true });
  }

  private keepSoon(): void {
    const state = stateOf(this.view, this.cursor.top);
    if (state === this.kept) return;
    this.kept = state;
    this.options.keep(state);
    this.keeping.restart(stateDelay);
  }
}
