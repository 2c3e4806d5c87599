import type { WireSort } from '../../runLog/wire/wirePage';
import type { NextWhat, WireResult } from '../../explorer/page/messages';
import type { PageState } from '../../explorer/page/pageState';
import { firstWireFilter, isWireOrder } from '../../explorer/page/pageState';
import type { WireBody, WireRow } from '../../explorer/wire/wireMessages';
import { List } from '../list/list';
import type { Stretch } from '../list/rowCache';
import { RowCache } from '../list/rowCache';
import type { Found, Id, KeyActions, RowValue, Rows, Selection } from '../list/rows';
import { filterValue, noSession } from '../list/rows';
import { jumpItem } from '../menu/jumpItem';
import type { MenuItem } from '../menu/menuItem';
import type { LogTab } from '../records/logTab';
import { WantedRecord } from '../records/wantedRecord';
import type { Page } from '../page';
import { Timer } from '../kit/timer';

/** Minimum time between two requests for new rows, in milliseconds. */
const askDelay = 500;
/** Time until what is pending is asked for again, in milliseconds. */
const pendingDelay = 1000;

/** The requests of the run, and other messages. */
export class WireTab implements Rows<WireRow> {
  readonly name = 'wire';
  readonly cache = new RowCache<WireRow>();
  readonly list: List<WireRow>;
  sort: WireSort;
  result: WireResult | undefined;
  /** The message and the answer of the open row; absent until they are loaded. */
  body: WireBody | undefined;
  private readonly wanted: WantedRecord;
  private readonly asking = new Timer(() => this.list.renew());
  /** What is pending goes on, even if the agent is silent. */
  private readonly askAgain = new Timer(() => this.askSoon());

  constructor(
    private readonly page: Page,
    private readonly log: LogTab,
    { wireQ: q = firstWireFilter, wireSort }: PageState,
    /** The first result, if the host has sent it with the page. */
    private first: WireResult | undefined,
  ) {
    this.sort = wireSort;
    this.wanted = new WantedRecord(log);
    this.list = new List(page, this, { q, isOpen: false });
  }

  get isFollowable(): boolean {
    return this.page.view.run.isLive && isWireOrder(this.sort);
  }

  idOf({ row }: WireRow): number {
    return row;
  }

  /** Called when the tab opens. Selects the row of the record selected in the log. */
  show(): void {
    this.wanted.follow();
    this.find();
  }

  /** Shows the message of a record and its answer when the tab opens, whatever the filter. */
  reveal(seq: number): void {
    this.wanted.reveal(seq);
    this.list.set({ isOpen: true });
  }

  /** Opens a message, whatever the filter, and not that of the record selected in the log. */
  revealMessage(row: number): void {
    this.wanted.stay();
    this.list.reveal(row);
  }

  /** Requests rows soon, because the run has more records. */
  askSoon(): void {
    if (this.page.view.tab === 'wire') this.asking.start(askDelay);
  }

  find(): void {
    const { list, sort, first, wanted } = this;
    this.first = undefined;
    if (first) return this.onResult(first);
    const row = typeof list.current === 'number' ? list.current : null;
    const rows = this.result ? 'none' : this.isFollowable ? 'last' : 'first';
    this.page.ask('wire.find', { q: list.state.q, ...sort, row, seq: wanted.seq ?? null, rows }, (result) =>
      this.onResult(result),
    );
  }

  private onResult(result: WireResult): void {
    const { counts, place, hidden, first } = result;
    const { seq, isInAnyCase } = this.wanted;
    this.result = result;
    if (place && seq !== undefined) this.list.want(place.id);
    this.wanted.done();
    if (result.q !== undefined) this.list.set({ q: result.q });
    this.list.found({ ...result, done: true }, { hasMoved: true, ...(place && { place }) }, () => {
      if (first) this.cache.put(first.from, first.rows);
    });
    if (isInAnyCase && hidden !== undefined) this.list.goTo(hidden);
    if (counts.pending > 0 && this.page.view.run.isLive) this.askAgain.restart(pendingDelay);
  }

  load(stretch: Stretch, use: () => void): void {
    this.page.ask('wire.rows', stretch, (rows) => {
      this.cache.put(stretch.from, rows);
      use();
    });
  }

  /** The answer says where the wanted row is. */
  locate(): void {
    this.find();
  }

  next(from: Selection | undefined, dir: 1 | -1, what: NextWhat, use: (found: Found) => void): void {
    this.page.ask('wire.next', { row: typeof from?.id === 'number' ? from.id : null, dir, what }, use);
  }

  /** The previous message and answer stay visible while they load. */
  open(id: Id): void {
    this.page.ask('wire.body', { row: Number(id) }, (body) => {
      this.body = body;
      this.page.update({});
    });
  }

  copy(id: Id): void {
    this.page.ask('wire.copy', { row: Number(id) });
  }

  inOrder(marks: ReadonlySet<Id>): readonly Id[] {
    return this.log.inOrder(marks);
  }

  sortBy(sort: WireSort): void {
    this.sort = sort;
    this.list.query();
  }

  /** Sorts the rows; by time if they are sorted like that already. */
  private toggleSort(sort: WireSort): void {
    const { by, direction } = this.sort;
    const isSorted = by === sort.by && direction === sort.direction;
    this.sortBy(isSorted ? { by: 'time', direction: 'ascending' } : sort);
  }

  /** The record of the selected row. */
  get seq(): number | undefined {
    return this.list.rowAt(this.list.selectedIndex)?.seq;
  }

  /** Shows the record of the selected row, or its span. */
  showIn(tab: 'log' | 'turns'): void {
    const row = this.list.rowAt(this.list.selectedIndex);
    if (row) this.page.show(tab, row.seq);
  }

  values({ method, status, session, kind }: WireRow): readonly RowValue[] {
    return [
      ...(method === '' ? [] : [{ key: 'method', value: filterValue(method), cell: 'method' } as const]),
      ...(status === 'none' ? [] : [{ key: 'status', value: status, cell: 'status' } as const]),
      { key: 'session', value: session === '' ? noSession : filterValue(session), cell: 'session' },
      { key: 'kind', value: kind },
    ];
  }

  commands({ seq }: WireRow): readonly (readonly MenuItem[])[] {
    const { page, list } = this;
    return [
      [jumpItem(page, 'log', seq), jumpItem(page, 'turns', seq)],
      [{ label: page.view.t('Copy Request and Answer'), key: 'y', run: () => list.copy() }],
    ];
  }

  keys(): KeyActions {
    return {
      l: () => this.showIn('log'),
      t: () => this.showIn('turns'),
      s: () => this.toggleSort({ by: 'took', direction: 'descending' }),
      p: () => this.toggleSort({ by: 'status', direction: 'ascending' }),
    };
  }
}
