import { nextAround, nextIndex } from '../../query/nextIndex';
import type { NextWhat, TurnsResult } from '../../explorer/page/messages';
import type { SpanRow } from '../../explorer/turns/turnMessages';
import { nextText } from '../../explorer/page/nextText';
import type { PageState, TurnSort } from '../../explorer/page/pageState';
import { hasValue, onlyValue, toggleValue } from '../filter/queryText';
import { List } from '../list/list';
import type { Found, Id, KeyActions, RowValue, Rows, Selection } from '../list/rows';
import { filterValue, noSession } from '../list/rows';
import { jumpItem } from '../menu/jumpItem';
import type { MenuItem } from '../menu/menuItem';
import type { LogTab } from '../records/logTab';
import { WantedRecord } from '../records/wantedRecord';
import type { Page } from '../page';
import { Timer } from '../kit/timer';
import type { TimeAxis, TimeRange } from '../../query/timeAxis';
import { endOf, timeAxis } from './timeAxis';
import { hasFailed } from '../../work/outcome';
import { farLabel } from './farLabel';
import { TurnDiffs } from './turnDiffs';
import type { TurnLine } from './turnTree';
import { sessionKeyOf, turnLines, turnOrder } from './turnTree';

/** Minimum time between two requests for spans, in milliseconds. */
const askDelay = 1000;
/** Time until what is open is asked for again, in milliseconds. */
const openDelay = 500;

/** The turns of the run, and what is in them, as a tree. All rows are in the page. */
export class TurnsTab implements Rows<TurnLine> {
  readonly name = 'turns';
  readonly list: List<TurnLine>;
  readonly diffs: TurnDiffs;
  sort: TurnSort;
  /** The visible lines. */
  private lines: readonly TurnLine[] = [];
  /** Keys of folded lines. */
  private readonly closed = new Set<string>();
  /** All spans, and those that pass the filter with what they are part of. */
  rows: readonly SpanRow[] = [];
  shown: readonly SpanRow[] = [];
  /** When the rows were requested, in milliseconds since the epoch. */
  now = 0;
  axis: TimeAxis = timeAxis([], 0);
  /** The visible time range; everything if absent. */
  range: TimeRange | undefined;
  /** Whether the table of tools replaces the tree. */
  isByTool = false;
  private result: TurnsResult | undefined;
  /** Whether the spans may have changed. */
  private isOutdated = true;
  private readonly wanted: WantedRecord;
  private readonly asking = new Timer(() => {
    this.isOutdated = true;
    this.list.renew();
  });
  /** What is open goes on, even if the agent is silent. */
  private readonly askAgain = new Timer(() => this.askSoon());

  constructor(
    private readonly page: Page,
    private readonly log: LogTab,
    { turnsQ: q, turnsSort }: PageState,
    /** The first result, if the host has sent it with the page. */
    private first: TurnsResult | undefined,
  ) {
    this.sort = turnsSort;
    this.wanted = new WantedRecord(log);
    this.diffs = new TurnDiffs(page);
    this.list = new List(page, this, { q, isOpen: true });
  }

  get isFollowable(): boolean {
    const { by, direction } = this.sort;
    return this.page.view.run.isLive && by === 'bars' && direction === 'ascending';
  }

  readonly cache = {
    get: (index: number) => this.lines[index],
    wanted: () => [],
    clear: () => undefined,
    invalidate: () => undefined,
  };

  idOf({ key }: TurnLine): string {
    return key;
  }

  /** Called when the tab opens. Selects the span of the record selected in the log. */
  show(): void {
    this.wanted.follow();
    this.isOutdated = true;
    this.find();
  }

  /** Shows the span of a record when the tab opens, whatever the filter. */
  reveal(seq: number): void {
    this.wanted.reveal(seq);
  }

  /** Requests spans soon, because the run has more records. */
  askSoon(): void {
    if (this.page.view.tab === 'turns') this.asking.start(askDelay);
  }

  find(): void {
    const { first } = this;
    this.first = undefined;
    if (first) return this.onResult(first);
    const rows = !this.isOutdated ? 'same' : this.result ? 'all' : 'oldest';
    const args = { q: this.list.state.q, rows, seq: this.wanted.seq ?? null } as const;
    this.page.ask('turns.find', args, (result) => this.onResult(result));
  }

  private onResult(result: TurnsResult): void {
    const { now, isBeginning } = result;
    const rows = result.rows ?? this.rows;
    this.result = result;
    this.rows = rows;
    this.now = now;
    this.isOutdated = isBeginning;
    this.shown = result.shown?.flatMap((index) => rows[index] ?? []) ?? rows;
    this.setAxis();
    const { seq, isInAnyCase } = this.wanted;
    const span = seq === undefined ? undefined : rows.find(({ id }) => id === result.span)?.id;
    if (span !== undefined) {
      this.unfold(span);
      this.list.want(span);
    }
    if (!isBeginning) this.wanted.done();
    this.update();
    if (isInAnyCase && !isBeginning) {
      if (span === undefined) this.page.update({ failure: this.page.view.t('This record isn’t part of a turn.') });
      else if (this.indexOf(span) < 0) this.list.goTo(span);
    }
    if (this.page.view.run.isLive && rows.some(({ end }) => end < 0)) this.askAgain.restart(openDelay);
    if (isBeginning) this.find();
  }

  /** The lines may have changed. */
  private update(): void {
    const { result, rows, list } = this;
    if (!result) return;
    this.lines = turnLines(this.shown, this.closed, this.order);
    const id = list.current;
    const place = id === undefined ? undefined : { id, index: this.indexOf(id) };
    const matches = { ...result, of: rows.length, rows: this.lines.length, done: true };
    list.found(matches, { hasMoved: true, ...(place && { place }) });
  }

  private get order(): ReturnType<typeof turnOrder> | undefined {
    const { by, direction } = this.sort;
    return by === 'bars' && direction === 'ascending' ? undefined : turnOrder(this.sort, this.now);
  }

  sortBy(sort: TurnSort): void {
    this.sort = sort;
    this.list.query();
  }

  private indexOf(id: Id): number {
    return this.lines.findIndex(({ key }) => key === id);
  }

  load(): void {
    // All rows are there.
  }

  /** The row may be in a folded one. */
  locate(id: Id): void {
    this.unfold(id);
    this.update();
  }

  private unfold(id: Id): void {
    let row = this.rows.find((one) => one.id === id);
    if (row) this.closed.delete(sessionKeyOf(row));
    while (row) {
      const { parent } = row;
      this.closed.delete(parent);
      row = this.rows.find((one) => one.id === parent);
    }
  }

  next(from: Selection | undefined, dir: 1 | -1, what: NextWhat, use: (found: Found) => void): void {
    const { lines } = this;
    const { index: start = -1 } = from ?? {};
    const here = lines[start];
    const session = here?.row ? sessionKeyOf(here.row) : here?.key;
    const fits = ({ row }: TurnLine): boolean => {
      return row !== undefined && (what === 'session' ? sessionKeyOf(row) !== session : hasFailed(row));
    };
    const index = what === 'session' ? nextIndex(lines, start, dir, fits) : nextAround(lines, start, dir, fits);
    const line = lines[index];
    const { view } = this.page;
    if (!line) return use({ id: '', index, said: nextText(view, what, 0, 0) });
    const all = lines.filter(fits);
    use({ id: line.key, index, said: nextText(view, what, all.indexOf(line) + 1, all.length) });
  }

  open(): void {
    // The line has its details.
  }

  copy(id: Id): void {
    this.page.ask('turns.copy', { id: String(id) });
  }

  inOrder(marks: ReadonlySet<Id>): readonly Id[] {
    const all = turnLines(this.rows, new Set(), this.order);
    return all.map(({ key }) => key).filter((key) => marks.has(key));
  }

  get selected(): TurnLine | undefined {
    return this.lines[this.list.selectedIndex];
  }

  /** The first record of the selected span. */
  get seq(): number | undefined {
    return this.selected?.row?.lane ? undefined : this.selected?.row?.firstSeq;
  }

  toggle(key: string, isOpen: boolean): void {
    this.page.setFollow(false);
    if (isOpen) this.closed.delete(key);
    else this.closed.add(key);
    this.update();
  }

  /** Zooms to the selected span, or back to everything. */
  toggleZoom(): void {
    const row = this.selected?.row;
    if (this.range) this.zoom(undefined);
    else if (row) this.zoom({ from: row.start, to: endOf(row, this.now) });
  }

  /** Shows a time range, or everything. */
  zoom(range: TimeRange | undefined): void {
    this.range = range && range.to - range.from >= 1 ? range : undefined;
    this.setAxis();
    this.list.draw();
    this.page.update({});
  }

  private setAxis(): void {
    this.axis = timeAxis(this.rows, this.now, this.range);
  }

  toggleTable(): void {
    this.isByTool = !this.isByTool;
    this.page.update({});
  }

  /** Zooms around the selected span, or around the center. */
  private zoomBy(factor: number): void {
    const whole = timeAxis(this.rows, this.now);
    const { from, to } = this.range ?? whole;
    const row = this.selected?.row;
    const middle = row ? (row.start + endOf(row, this.now)) / 2 : (from + to) / 2;
    const half = ((to - from) * factor) / 2;
    const range = { from: Math.max(whole.from, middle - half), to: Math.min(whole.to, middle + half) };
    this.zoom(range.from <= whole.from && range.to >= whole.to ? undefined : range);
  }

  /** Moves the time range by a fraction of its length. */
  private pan(share: number): void {
    const { range } = this;
    if (!range) return;
    const by = (range.to - range.from) * share;
    this.zoom({ from: range.from + by, to: range.to + by });
  }

  /** Shows the records of the selected span in the Log tab. */
  showRecords(): void {
    const { row } = this.selected ?? {};
    if (!row || row.lane) return this.showFarEnd();
    this.page.show('log');
    this.log.list.setFilter(`seq:${row.firstSeq}..${row.lastSeq}`);
  }

  showFarEnd(): void {
    if (this.selected?.row?.far) this.page.ask('turns.across', { id: this.selected.key });
  }

  /** Filters by a tool, or no longer if the filter asks for it. */
  toggleTool(tool: string): void {
    const { q } = this.list.state;
    const value = filterValue(tool);
    this.list.setFilter(hasValue(q, 'tool', value) ? toggleValue(q, 'tool', value) : onlyValue(q, 'tool', value));
  }

  values({ row, title, key }: TurnLine): readonly RowValue[] {
    const hasSession = row ? row.sessionKey !== '' : key !== sessionKeyOf({ sessionKey: '' });
    const session: RowValue = {
      key: 'session',
      value: hasSession ? filterValue(row?.session ?? title) : noSession,
      cell: row ? '' : 'name',
    };
    if (!row) return [session];
    const { tool, kind, outcome } = row;
    return [
      ...(tool === '' ? [] : [{ key: 'tool', value: filterValue(tool), cell: 'name' } as const]),
      { key: 'kind', value: kind, cell: tool === '' ? 'name' : '' },
      { key: 'status', value: outcome },
      session,
    ];
  }

  commands({ row }: TurnLine): readonly (readonly MenuItem[])[] {
    const { page, list } = this;
    const { t } = page.view;
    if (!row) return [];
    const far = row.far ? [{ label: farLabel(row.far, t), run: () => this.showFarEnd() }] : [];
    if (row.lane) return [far];
    return [
      far,
      [{ label: t('Show Records'), key: 'l', run: () => this.showRecords() }, jumpItem(page, 'wire', row.firstSeq)],
      [
        { label: t('Copy'), key: 'y', run: () => list.copy() },
        { label: this.range ? t('Zoom out') : t('Zoom in'), key: 'z', run: () => this.toggleZoom() },
        ...this.diffs.items(row),
      ],
    ];
  }

  keys(moves: KeyActions): KeyActions {
    const { list, selected } = this;
    return {
      ArrowRight: () => {
        if (selected?.isOpen === false) this.toggle(selected.key, true);
        else if (selected?.isOpen === true) moves['ArrowDown']?.();
      },
      ArrowLeft: () => {
        const above = selected && this.lines[selected.parent];
        if (selected?.isOpen === true) this.toggle(selected.key, false);
        else if (above) list.select(above.key, selected.parent);
      },
      Enter: () => (list.state.isOpen ? this.showRecords() : list.open()),
      Escape: () => (this.range ? this.zoom(undefined) : list.escape()),
      z: () => this.toggleZoom(),
      '+': () => this.zoomBy(0.5),
      '-': () => this.zoomBy(2),
      '<': () => this.pan(-0.25),
      '>': () => this.pan(0.25),
      t: () => this.toggleTable(),
      f: () => this.diffs.show(selected?.row),
      d: () => this.diffs.compare(selected?.row),
      l: () => this.showRecords(),
      ...(this.seq !== undefined && { w: () => this.page.show('wire', this.seq) }),
    };
  }
}
