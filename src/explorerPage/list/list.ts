import type { NextWhat } from '../../explorer/page/messages';
import { hasTimes, withTimes } from '../filter/queryText';
import type { Page } from '../page';
import { Timer } from '../kit/timer';
import type { GridList, Viewport } from './grid';
import { listMoves } from './moves';
import type { Change, Id, KeyActions, LastSeen, ListState, Matches, Place, Rows } from './rows';
import type { Align } from './scaledList';

/** While a filter is searched for, the next one is sent this long after a keystroke, in milliseconds. */
const typingDelay = 30;

/** The rows of a tab: which are shown, which is selected, and the ways to others. Rows are known by what they are, not where. */
export class List<Row> implements GridList<Row> {
  state: ListState;
  /** Absent until the page is drawn. */
  private grid: Viewport | undefined;
  /** The row to select once the result is complete and its place is known. */
  private wanted: Id | undefined;
  /** Whether the filter is set aside if it hides that row. */
  private isWantedInAnyCase = false;
  /** The row to show at the top once the result is complete. */
  private wantedTop: Id | undefined;
  /** How many matches were seen when the page was left; until its filter is complete again. */
  private restoredSeen: number | undefined;
  /** Whether the newest rows stay in view while a filter is searched for. */
  private sticksToEnd = false;
  /** Whether nothing was found yet since the filter was sent. */
  private isAsked = true;
  /** Whether its search isn't complete: what it still finds isn't new. */
  private isSearching = true;
  private readonly typing = new Timer(() => this.query());

  constructor(
    private readonly page: Page,
    readonly rows: Rows<Row>,
    restored: Pick<ListState, 'q' | 'isOpen'> & Partial<ListState>,
    wanted: LastSeen = {},
  ) {
    this.state = {
      matches: undefined,
      selection: undefined,
      marks: new Set(),
      contextOf: undefined,
      unseen: 0,
      ...restored,
    };
    this.wanted = wanted.id;
    this.wantedTop = wanted.top;
    this.restoredSeen = wanted.seen;
  }

  /** How many rows the list has. */
  private get count(): number {
    const { total = 0, rows = total } = this.state.matches ?? {};
    return rows;
  }

  get selectedIndex(): number {
    return this.state.selection?.index ?? -1;
  }

  rowAt(index: number): Row | undefined {
    return this.rows.cache.get(index);
  }

  isMarked(row: Row): boolean {
    return this.state.marks.has(this.rows.idOf(row));
  }

  /** The row to select once its place is known, or the selected one. */
  get current(): Id | undefined {
    return this.wanted ?? this.state.selection?.id;
  }

  /** The row at the top of the view. */
  get top(): Id | undefined {
    const row = this.grid && this.rowAt(this.grid.firstInView);
    return this.wantedTop ?? (row === undefined ? undefined : this.rows.idOf(row));
  }

  /** The number of matches without those that are new. */
  get seen(): number | undefined {
    return this.restoredSeen ?? (this.state.matches && this.state.matches.total - this.state.unseen);
  }

  /** Whether the details of a row are shown. */
  get hasDetails(): boolean {
    return this.state.isOpen && this.current !== undefined;
  }

  get isFollowing(): boolean {
    return this.page.view.follow && this.rows.isFollowable;
  }

  attach(grid: Viewport): void {
    this.grid = grid;
  }

  set(change: Partial<ListState>): void {
    this.state = { ...this.state, ...change };
    this.draw();
    this.page.update({});
  }

  /** Draws the rows. */
  draw(): void {
    this.grid?.draw();
  }

  /** Sends the filter; the current rows stay until its result comes. */
  query(): void {
    this.typing.stop();
    this.keep();
    this.isAsked = true;
    this.isSearching = true;
    this.restoredSeen = undefined;
    this.page.update({ failure: '' });
    this.rows.find();
  }

  /** Asks what is new, unless the filter is being typed. */
  renew(): void {
    if (!this.typing.isPending) this.rows.find();
  }

  /** @param isTyped wait for more input, unless the host is idle */
  setFilter(q: string, isTyped = false): void {
    if (q === this.state.q) return;
    this.set({ q, contextOf: undefined });
    if (!isTyped) this.page.update({ completions: undefined });
    const isIdle = !this.typing.isPending && !this.isAsked && this.state.matches?.done === true;
    if (isTyped && !isIdle) this.typing.restart(typingDelay);
    else this.query();
  }

  /** Rows are drawn; loads those that are missing. */
  need(first: number, count: number): void {
    this.page.keepLater();
    for (const stretch of this.rows.cache.wanted(first, count, this.count)) {
      this.rows.load(stretch, () => this.onRows());
    }
  }

  /**
   * Answers whether these are the first matches of a filter.
   * @param put puts rows into the cache that came with the answer
   */
  found(matches: Matches, { hasMoved, place }: Change, put?: () => void): boolean {
    const isNew = this.isAsked;
    const isPlaced = place !== undefined && place.id === this.wanted;
    this.isAsked = false;
    if (isNew) this.rows.cache.clear();
    else if (hasMoved) this.rows.cache.invalidate();
    put?.();
    this.sticksToEnd ||= isNew && this.rows.isFollowable;
    const seen = this.isFollowing || (this.isSearching && this.restoredSeen === undefined) ? matches.total : this.seen;
    if (matches.done) {
      this.restoredSeen = undefined;
      this.isSearching = false;
    }
    this.set({ matches, unseen: Math.max(0, matches.total - (seen ?? matches.total)) });
    this.grid?.setTotal(this.count);
    if (place) this.onPlace(place);
    if (!isPlaced && !(matches.done && !place && this.locateWanted())) {
      if (this.isFollowing || this.sticksToEnd) this.grid?.showEnd();
      else if (isNew) this.grid?.show(0, 'top');
      else if (hasMoved && !place) {
        this.keep();
        this.locateWanted();
      }
    }
    if (matches.done) this.sticksToEnd = false;
    return isNew;
  }

  private onPlace({ id, index }: { readonly id: Id; readonly index: number }): void {
    const { selection } = this.state;
    if (id === this.wanted) this.located(id, { index, isMatch: index >= 0 });
    else if (id === selection?.id && index !== selection.index) this.set({ selection: { id, index } });
  }

  /** Rows have come; the selected one may be among them. */
  private onRows(): void {
    const { selection } = this.state;
    const row = selection && selection.id === undefined ? this.rowAt(selection.index) : undefined;
    if (row !== undefined && selection) this.select(this.rows.idOf(row), selection.index);
    else this.draw();
  }

  /** Selects a row, shows it, and its details if they are open. */
  select(id: Id | undefined, index: number, align: Align = 'nearest'): void {
    this.wanted = this.wantedTop = undefined;
    this.sticksToEnd = false;
    this.page.setFollow(false);
    this.set({ selection: { id, index } });
    this.grid?.show(index, align);
    if (id !== undefined && this.state.isOpen) this.rows.open(id);
  }

  /** Selects whatever is at a position: at once, or when its row has come. */
  selectAt(index: number): void {
    const row = this.rowAt(index);
    this.select(row === undefined ? undefined : this.rows.idOf(row), index);
    if (row === undefined) this.need(index, 1);
  }

  /** A row was clicked: its details come with it, as in other lists of the workbench. */
  pick(index: number): void {
    this.set({ isOpen: true });
    this.selectAt(index);
  }

  /** Shows the details of the selected row. */
  open(): void {
    const { selection, isOpen } = this.state;
    if (!selection) return;
    if (!isOpen) this.set({ isOpen: true });
    if (selection.id !== undefined) this.rows.open(selection.id);
  }

  close(): void {
    this.set({ isOpen: false });
  }

  /** Goes to the next failure, or the next row of another session. */
  next(dir: 1 | -1, what: NextWhat): void {
    this.rows.next(this.state.selection, dir, what, ({ id, index, said }) => {
      if (said !== '') this.page.update({ said });
      if (index < 0) return;
      if (what === 'failure') this.set({ isOpen: true });
      this.select(id, index, 'center');
    });
  }

  copy(): void {
    const id = this.state.selection?.id;
    if (id !== undefined) this.rows.copy(id);
  }

  /** Adds or removes a bookmark on the selected row. */
  toggleMark(): void {
    const id = this.state.selection?.id;
    if (id === undefined) return;
    const marks = new Set(this.state.marks);
    if (!marks.delete(id)) marks.add(id);
    this.set({ marks });
  }

  /** Goes to the next bookmark, wrapping around. */
  private nextMark(): void {
    const { marks, selection } = this.state;
    const { id } = selection ?? {};
    const all = this.rows.inOrder(id === undefined ? marks : new Set([...marks, id]));
    const after = id === undefined ? -1 : all.indexOf(id);
    const next = [...all.slice(after + 1), ...all].find((one) => marks.has(one));
    if (next !== undefined) this.goTo(next);
  }

  /** Shows a row and its details, without the filter if that hides it. */
  reveal(id: Id, q?: string): void {
    this.page.setFollow(false);
    this.set({ isOpen: true });
    this.rows.open(id);
    this.goTo(id, q);
  }

  /**
   * Selects a row that may be hidden by the filter.
   * @param q the new filter, if it changes
   */
  goTo(id: Id, q = this.state.q): void {
    this.want(id);
    this.isWantedInAnyCase = true;
    if (q !== this.state.q) this.setFilter(q);
    else this.locateWanted();
  }

  /** Selects nothing. */
  leave(): void {
    this.wanted = this.wantedTop = undefined;
    this.set({ selection: undefined });
  }

  /** Selects a row when the result comes. */
  want(id: Id): void {
    this.wanted = id;
  }

  /** The selected row stays selected when it has another place. */
  private keep(): void {
    this.wanted ??= this.state.selection?.id;
    this.wantedTop = undefined;
  }

  /** Asks where the wanted rows are, if the result is complete; answers whether there are any. */
  locateWanted(): boolean {
    const wanted = [...new Set([this.wantedTop, this.wanted])].filter((id) => id !== undefined);
    if (this.state.matches?.done === true && !this.isAsked) for (const id of wanted) this.rows.locate(id);
    return wanted.length > 0;
  }

  /** The user may have moved meanwhile. */
  located(id: Id, { index, isMatch }: Place): void {
    if (id === this.wantedTop) {
      this.wantedTop = undefined;
      if (index >= 0) this.grid?.show(index, 'top');
    }
    if (id !== this.wanted) return;
    const isHidden = !isMatch && this.isWantedInAnyCase && this.state.q !== '';
    this.wanted = undefined;
    this.isWantedInAnyCase = false;
    if (isHidden) return this.showContext(id);
    if (isMatch) return this.select(id, index, 'center');
    this.set({ selection: this.state.selection && { ...this.state.selection, index: -1 } });
    if (index >= 0) this.grid?.show(index, 'center');
  }

  /** Shows the selected row among all others, or goes back to the filter. */
  toggleContext(): void {
    const { contextOf, selection, q } = this.state;
    if (contextOf) {
      this.wanted = contextOf.id;
      this.setFilter(contextOf.q);
    } else if (q !== '') this.showContext(selection?.id);
  }

  /** Sets the filter aside to show a row among all others. */
  private showContext(id: Id | undefined): void {
    const { q, selection } = this.state;
    this.wanted = id;
    this.setFilter('');
    this.set({ contextOf: { q, id: selection?.id ?? id } });
  }

  /** Closes the details, then leaves the context, then clears the time range. */
  escape(): void {
    const { contextOf, q } = this.state;
    if (this.hasDetails) this.close();
    else if (contextOf) this.toggleContext();
    else if (hasTimes(q)) this.setFilter(withTimes(q, undefined));
  }

  /** The user scrolled. */
  scrolled(isAtEnd: boolean): void {
    this.sticksToEnd = false;
    this.wantedTop = undefined;
    if (isAtEnd && !this.page.view.follow && this.state.unseen > 0) this.set({ unseen: 0 });
    if (!isAtEnd && this.isFollowing) this.page.setFollow(false);
  }

  /** Shows the newest row, if new ones come in at the end. */
  followEnd(): void {
    this.set({ unseen: 0 });
    if (this.rows.isFollowable) this.grid?.showEnd();
  }

  /** What the keys do; single letters work only while the list has the focus (WCAG 2.1.4). */
  keys(): KeyActions {
    const moves = listMoves(this.selectedIndex, this.count, this.grid, (index) => this.selectAt(index));
    return {
      ...moves,
      Enter: () => this.open(),
      Escape: () => this.escape(),
      ' ': () => this.page.setFollow(!this.page.view.follow),
      c: () => this.toggleContext(),
      b: () => this.toggleMark(),
      B: () => this.nextMark(),
      y: () => this.copy(),
      ContextMenu: () => this.grid?.openMenu(),
      'Shift F10': () => this.grid?.openMenu(),
      ']': () => this.next(1, 'session'),
      '[': () => this.next(-1, 'session'),
      ...this.rows.keys(moves),
    };
  }
}
