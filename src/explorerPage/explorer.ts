import type {
  HostMessage,
  NextWhat,
  PageMessage,
  RecordAction,
  ResultMessage,
  RunInfo,
  Tab,
} from '../ui/explorer/messages';
import type { PageStrings } from '../ui/explorer/strings';
import type { PageState } from '../ui/explorer/pageState';
import { Bookmarks } from './bookmarks';
import { DetailsPane } from './details/detailsPane';
import { hasTimes, isContiguous, withTimes } from './filter/queryText';
import type { Grid } from './grid/grid';
import { RowCache } from './grid/rowCache';
import { TurnsPane } from './turns/turnsPane';
import { WirePane } from './wire/wirePane';
import type { View } from './view';
import { firstView, stateOf } from './view';

/** The filter is applied this long after a keystroke, in milliseconds. */
const typingDelay = 30;
/** The host gets the page's state this long after a change, in milliseconds. */
const stateDelay = 250;
/** Time until matches are counted for the first time, and until they are counted again, in milliseconds. */
const firstCount = 60;
const nextCount = 1000;
const histogramBuckets = 120;

export interface ExplorerOptions {
  readonly strings: PageStrings;
  readonly run: RunInfo;
  readonly state: PageState;
  post(message: PageMessage): void;
  /** Keeps the state over a reload. */
  keep(state: string): void;
}

/** The page's state, and what it asks its host. The view is drawn again whenever it changes. */
export class Explorer {
  readonly cache = new RowCache();
  readonly detailsPane: DetailsPane;
  readonly bookmarks: Bookmarks;
  readonly turnsPane: TurnsPane;
  readonly wirePane = new WirePane(this);
  view: View;
  private grid: Grid | undefined;
  private gen = 0;
  private epoch = -1;
  /** The filter of the rows that are shown; `gen` is the one that was asked for. */
  private shownGen = 0;
  /** Whether the newest rows stay in view while a filter is searched for. */
  private sticksToEnd = false;
  private readonly listeners = new Set<() => void>();
  private typing: number | undefined;
  private keeping: number | undefined;
  private kept = '';
  private counting: number | undefined;
  /** The record to select once the result is complete. */
  private wanted: number | undefined;
  /** Whether the filter is set aside if it hides that record. */
  private isWantedInAnyCase = false;

  constructor(private readonly options: ExplorerOptions) {
    this.view = firstView(options);
    this.wanted = options.state.seq;
    this.detailsPane = new DetailsPane(this);
    this.bookmarks = new Bookmarks(this);
    this.turnsPane = new TurnsPane(this);
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  post(message: PageMessage): void {
    this.options.post(message);
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
    this.query();
    if (this.view.details === null && this.wanted !== undefined) this.detailsPane.open(this.wanted);
  }

  /** Sends the filter; what is shown stays until its answer comes. */
  private query(): void {
    clearTimeout(this.typing);
    this.typing = undefined;
    this.gen++;
    this.post({ t: 'query', gen: this.gen, q: this.view.q });
  }

  /** @param isTyped wait for more to be typed */
  setFilter(q: string, isTyped = false): void {
    if (q === this.view.q) return;
    this.wanted ??= this.view.selection?.seq;
    this.update({ q, contextOf: undefined, ...(!isTyped && { completions: undefined }) });
    clearTimeout(this.typing);
    if (isTyped) this.typing = window.setTimeout(() => this.query(), typingDelay);
    else this.query();
  }

  need(first: number, count: number): void {
    const total = this.view.result?.total ?? 0;
    for (const page of this.cache.wanted(first, count, total)) {
      this.post({ t: 'rows', gen: this.shownGen, ...page });
    }
  }

  receive(message: HostMessage): void {
    switch (message.t) {
      case 'result':
        return this.onResult(message);
      case 'rows':
        if (message.gen !== this.shownGen || message.epoch !== this.epoch) return;
        this.cache.put(message.from, message.rows);
        return this.onRows();
      case 'levels':
        if (message.gen === this.gen) this.update({ levelCounts: message.counts });
        return;
      case 'histogram':
        return this.onHistogram(message);
      case 'found':
        return this.onFound(message);
      case 'completions':
        return this.update({ completions: { text: message.text, items: message.items } });
      case 'run':
        return this.update({ run: message.run });
      case 'reveal':
        return this.reveal(message.seq, message.q);
      case 'filter':
        return this.setFilter(message.q);
      case 'details':
      case 'tree':
      case 'value':
      case 'raw':
        return this.detailsPane.receive(message);
      case 'turns':
        return this.turnsPane.receive(message);
      case 'tab':
        return this.setTab(message.tab);
      case 'focus':
      case 'init':
        return;
      default:
        return this.wirePane.receive(message);
    }
  }

  private onResult(result: ResultMessage): void {
    if (result.gen !== this.gen) return;
    const isNew = result.gen !== this.shownGen;
    const before = this.view.result?.total ?? 0;
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
    this.grid?.setTotal(result.total);
    if (this.wanted !== undefined && result.done) this.post({ t: 'locate', gen: this.gen, seq: this.wanted });
    else if (isFollowing || this.sticksToEnd) this.grid?.showEnd();
    else if (hasMoved && this.view.selection) this.locate(this.view.selection.seq);
    if (result.done) this.sticksToEnd = false;
    this.countSoon(isNew);
    [this.turnsPane, this.wirePane].forEach((pane) => pane.askSoon());
  }

  private onHistogram({ gen, from, to, counts }: HostMessage & { t: 'histogram' }): void {
    if (gen === this.gen) this.update({ histogram: { from, to, counts: new Uint32Array(counts) } });
  }

  /** Asks for the counts of the chips and the histogram. */
  private countSoon(isNew: boolean): void {
    if (this.counting !== undefined && !isNew) return;
    clearTimeout(this.counting);
    this.counting = window.setTimeout(
      () => {
        this.counting = undefined;
        this.post({ t: 'counts', gen: this.gen, buckets: histogramBuckets });
      },
      isNew ? firstCount : nextCount,
    );
  }

  private onFound({ gen, seq, index, isMatch, said }: HostMessage & { t: 'found' }): void {
    if (gen !== this.gen) return;
    this.wanted = undefined;
    const isHidden = !isMatch && this.isWantedInAnyCase && this.view.q !== '';
    this.isWantedInAnyCase = false;
    if (isHidden) return this.showContext(seq);
    if (isMatch) return this.select(seq, index, 'center', said);
    if (said !== '') return this.update({ said });
    this.update({ selection: this.view.selection && { ...this.view.selection, index: -1 } });
    if (index >= 0) this.grid?.show(index, 'center');
  }

  /** Selects a record, shows its row, and its details if they are open. */
  select(seq: number, index: number, align: 'nearest' | 'center' = 'nearest', said = ''): void {
    this.sticksToEnd = false;
    this.update({ selection: { seq, index }, follow: false, ...(said !== '' && { said }) });
    this.grid?.show(index, align);
    if (this.view.details !== undefined) this.detailsPane.open(seq);
  }

  /** Moves the selection by rows. */
  move(rows: number): void {
    const { selection, result } = this.view;
    const total = result?.total ?? 0;
    if (total === 0) return;
    const from = selection && selection.index >= 0 ? selection.index : undefined;
    const start = this.grid ? Math.min(this.grid.firstInView + (rows < 0 ? this.grid.pageRows : 0), total - 1) : 0;
    this.selectAt(from === undefined ? start : Math.max(0, Math.min(total - 1, from + rows)));
  }

  moveTo(end: 'first' | 'last'): void {
    const total = this.view.result?.total ?? 0;
    if (total > 0) this.selectAt(end === 'first' ? 0 : total - 1);
  }

  movePage(direction: 1 | -1): void {
    this.move(direction * (this.grid?.pageRows ?? 1));
  }

  /** Selects whatever is at a position: at once, or when its row has come. */
  private selectAt(index: number): void {
    const row = this.cache.get(index);
    if (row) return this.select(row.seq, index);
    this.update({ selection: { seq: 0, index }, follow: false });
    this.grid?.show(index);
    this.need(index, 1);
  }

  private onRows(): void {
    this.grid?.draw();
    const { selection } = this.view;
    const row = selection?.seq === 0 ? this.cache.get(selection.index) : undefined;
    if (row && selection) this.select(row.seq, selection.index);
  }

  next(dir: 1 | -1, what: NextWhat): void {
    const seq = this.view.selection?.seq ?? (dir === 1 ? 0 : Number.MAX_SAFE_INTEGER);
    this.post({ t: 'next', gen: this.gen, seq, dir, what });
  }

  /** Shows a record and its details, without the filter if that hides it. */
  reveal(seq: number, q?: string): void {
    this.update({ follow: false });
    this.detailsPane.open(seq);
    if (q !== undefined && q !== this.view.q) {
      this.wanted = seq;
      this.isWantedInAnyCase = true;
      this.setFilter(q);
    } else this.goTo(seq);
  }

  /** Selects a record that may be hidden by the filter. */
  goTo(seq: number): void {
    this.isWantedInAnyCase = true;
    this.wanted = seq;
    if (this.view.result?.done === true) this.locate(seq);
  }

  /** Shows the selected record among all others, or goes back to the filter. */
  toggleContext(): void {
    const { contextOf, selection, q } = this.view;
    if (contextOf !== undefined) {
      this.wanted = contextOf.seq;
      this.setFilter(contextOf.q);
    } else if (selection && q !== '') this.showContext(selection.seq);
  }

  /** Sets the filter aside to show a record among all others. */
  private showContext(seq: number): void {
    const { q, selection } = this.view;
    this.wanted = seq;
    this.setFilter('');
    this.update({ contextOf: { q, seq: selection?.seq || seq } });
  }

  goToProblem(dir: 1 | -1): void {
    this.next(dir, 'problem');
    if (this.view.details === undefined && this.view.selection) this.detailsPane.open(this.view.selection.seq);
  }

  /** Asks where a record is, to select it. */
  locate(seq: number): void {
    this.wanted = seq;
    this.post({ t: 'locate', gen: this.gen, seq });
  }

  openDetails(): void {
    const seq = this.view.selection?.seq;
    if (seq) this.detailsPane.open(seq);
  }

  /** A row was clicked: its details come with it, as in other lists of the workbench. */
  pick(index: number, isDouble: boolean): void {
    this.selectAt(index);
    if (isDouble || this.view.details === undefined) this.openDetails();
  }

  /** Leaves the details, then the context, then the stretch of time. */
  escape(): void {
    if (this.view.details !== undefined) this.detailsPane.close();
    else if (this.view.contextOf !== undefined) this.toggleContext();
    else if (hasTimes(this.view.q)) this.setFilter(withTimes(this.view.q, undefined));
  }

  setFollow(follow: boolean): void {
    this.update({ follow, ...(follow && { unseen: 0 }) });
    if (follow) this.grid?.showEnd();
  }

  /** The user scrolled. */
  scrolled(isAtEnd: boolean): void {
    this.sticksToEnd = false;
    if (isAtEnd && !this.view.follow && this.view.unseen > 0) this.update({ unseen: 0 });
    if (!isAtEnd && this.view.follow) this.update({ follow: false });
  }

  act(name: RecordAction, seq = this.view.selection?.seq): void {
    this.post({ t: 'act', name, seqs: seq === undefined || seq === 0 ? [] : [seq] });
  }

  exportShown(): void {
    this.post({ t: 'export', gen: this.gen });
  }

  setTab(tab: Tab): void {
    if (tab !== this.view.tab) this.update({ tab });
  }

  focusGrid(): void {
    this.grid?.focus();
  }

  private keepSoon(): void {
    const state = stateOf(this.view);
    if (state === this.kept) return;
    this.kept = state;
    this.options.keep(state);
    clearTimeout(this.keeping);
    this.keeping = window.setTimeout(() => this.post({ t: 'state', state }), stateDelay);
  }
}
