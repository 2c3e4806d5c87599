import type { Found, NextWhat, Place } from '../ui/explorer/messages';
import type { PageState } from '../ui/explorer/pageState';
import type { DetailsPane } from './details/detailsPane';
import type { Page } from './page';
import type { KeyActions } from './rowMoves';
import { rowMoves } from './rowMoves';

/** The selected record, and the ways to others. */
export class Cursor {
  /** The record to select once the result is complete and its place is known. */
  private wanted: number | undefined;
  /** Whether the filter is set aside if it hides that record. */
  private isWantedInAnyCase = false;
  /** The record to show at the top once the result is complete. */
  private wantedTop: number | undefined;

  constructor(
    private readonly page: Page,
    private readonly detailsPane: DetailsPane,
    restored: Pick<PageState, 'seq' | 'top'>,
  ) {
    this.wanted = restored.seq;
    this.wantedTop = restored.top;
  }

  /** The selected record, or the one to select once its place is known. */
  get current(): number | undefined {
    return this.page.view.selection?.seq ?? this.wanted;
  }

  /** The record at the top of the view. */
  get top(): number | undefined {
    const { grid, cache } = this.page;
    return this.wantedTop ?? (grid && cache.get(grid.firstInView)?.seq);
  }

  /** The view was moved by hand. */
  scrolled(): void {
    this.wantedTop = undefined;
  }

  /** Selects a record, shows its row, and its details if they are open. */
  select(seq: number, index: number, align: 'nearest' | 'center' = 'nearest', said = ''): void {
    const { page } = this;
    this.wanted = this.wantedTop = undefined;
    page.sticksToEnd = false;
    page.update({ selection: { seq, index }, follow: false, ...(said !== '' && { said }) });
    page.grid?.show(index, align);
    if (seq !== 0 && page.view.details !== undefined) this.detailsPane.open(seq);
  }

  /** What the keys that move the selection do; without one, they go to the first row in view, or the last. */
  moves(): KeyActions {
    const { grid, total, view } = this.page;
    const { firstInView = 0, pageRows = 1 } = grid ?? {};
    const index = view.selection?.index ?? -1;
    const from = (rows: number): number => (index < 0 ? firstInView + (rows < 0 ? pageRows : 0) : index + rows);
    return rowMoves({ from, last: total - 1, pageRows, to: (place) => this.selectAt(place) });
  }

  /** A row was clicked: its details come with it, as in other lists of the workbench. */
  pick(index: number): void {
    this.selectAt(index);
    this.openDetails();
  }

  openDetails(): void {
    const seq = this.page.view.selection?.seq;
    if (seq) this.detailsPane.open(seq);
  }

  /** Selects whatever is at a position: at once, or when its row has come. */
  private selectAt(index: number): void {
    const row = this.page.cache.get(index);
    this.select(row?.seq ?? 0, index);
    if (!row) this.page.need(index, 1);
  }

  /** Rows have come; the selected one may be among them. */
  onRows(): void {
    const { view, cache } = this.page;
    const row = view.selection?.seq === 0 ? cache.get(view.selection.index) : undefined;
    if (row && view.selection) this.select(row.seq, view.selection.index);
  }

  /** Adds or removes a bookmark on the selected record. */
  toggleMark(): void {
    const { selection, marks } = this.page.view;
    if (!selection) return;
    const changed = new Set(marks);
    if (!changed.delete(selection.seq)) changed.add(selection.seq);
    this.page.update({ marks: changed });
  }

  /** Goes to the next bookmark, wrapping around. */
  nextMark(): void {
    const { selection, marks } = this.page.view;
    const sorted = [...marks].sort((a, b) => a - b);
    const next = sorted.find((seq) => seq > (selection?.seq ?? 0)) ?? sorted[0];
    if (next !== undefined) this.goTo(next);
  }

  next(dir: 1 | -1, what: NextWhat): void {
    const seq = this.page.view.selection?.seq ?? (dir === 1 ? 0 : Number.MAX_SAFE_INTEGER);
    this.page.ask('log.next', { seq, dir, what }, (found) => found && this.onFound(found, what));
  }

  goToProblem(dir: 1 | -1): void {
    this.next(dir, 'problem');
  }

  private onFound({ seq, index, said }: Found, what: NextWhat): void {
    if (index >= 0) {
      this.select(seq, index, 'center', said);
      if (what === 'problem') this.openDetails();
    } else if (said !== '') this.page.update({ said });
  }

  /** Shows a record and its details, without the filter if that hides it. */
  reveal(seq: number, q?: string): void {
    const { page } = this;
    page.update({ follow: false });
    this.detailsPane.open(seq);
    this.goTo(seq, q);
  }

  /**
   * Selects a record that may be hidden by the filter.
   * @param q the new filter, if it changes
   */
  private goTo(seq: number, q = this.page.view.q): void {
    this.wanted = seq;
    this.isWantedInAnyCase = true;
    if (q !== this.page.view.q) this.page.setFilter(q);
    else this.locateWanted();
  }

  /** The filter changes: the selected record stays selected. */
  keep(): void {
    this.wanted ??= this.page.view.selection?.seq;
    this.wantedTop = undefined;
  }

  /** Positions have changed: the selected record has another one. */
  onMoved(): void {
    this.keep();
    this.locateWanted();
  }

  /** Asks where the wanted records are, if the result is complete; answers whether there are any. */
  locateWanted(): boolean {
    const { view, gen } = this.page;
    const wanted = new Set([this.wantedTop, this.wanted]);
    for (const seq of wanted) {
      if (!seq || view.result?.done !== true || view.result.gen !== gen) continue;
      this.page.ask('log.locate', { seq }, (place) => place && this.onLocated(seq, place));
    }
    return [...wanted].some(Boolean);
  }

  /** The user may have moved meanwhile. */
  private onLocated(seq: number, { index, isMatch }: Place): void {
    const { page } = this;
    if (seq === this.wantedTop) {
      this.wantedTop = undefined;
      if (index >= 0) page.grid?.show(index, 'top');
    }
    if (seq !== this.wanted) return;
    const isHidden = !isMatch && this.isWantedInAnyCase && page.view.q !== '';
    this.wanted = undefined;
    this.isWantedInAnyCase = false;
    if (isHidden) return this.showContext(seq);
    if (isMatch) return this.select(seq, index, 'center');
    page.update({ selection: page.view.selection && { ...page.view.selection, index: -1 } });
    if (index >= 0) page.grid?.show(index, 'center');
  }

  /** Shows the selected record among all others, or goes back to the filter. */
  toggleContext(): void {
    const { contextOf, selection, q } = this.page.view;
    if (contextOf !== undefined) {
      this.wanted = contextOf.seq;
      this.page.setFilter(contextOf.q);
    } else if (selection && q !== '') this.showContext(selection.seq);
  }

  /** Sets the filter aside to show a record among all others. */
  private showContext(seq: number): void {
    const { q, selection } = this.page.view;
    this.wanted = seq;
    this.page.setFilter('');
    this.page.update({ contextOf: { q, seq: selection?.seq || seq } });
  }
}
