import type { NextWhat, WireResult } from '../../ui/explorer/messages';
import type { WireFound, WireRow } from '../../ui/explorer/wire/wireMessages';
import { hasTimes, withTimes } from '../filter/queryText';
import { RowCache } from '../grid/rowCache';
import type { Cursor } from '../cursor';
import type { Page } from '../page';
import type { KeyActions } from '../rowMoves';
import { rowMoves, toggledIn } from '../rowMoves';
import type { SideList } from '../sideList';
import { sideListKeys, toggleContext } from '../sideList';
import { Timer } from '../timer';
import type { Wire } from '../view';
import { firstWireFilter } from '../view';

/** Minimum time between two requests for new rows, in milliseconds. */
const askDelay = 500;
const typingDelay = 30;
/** Time until what is pending is asked for again, in milliseconds. */
const pendingDelay = 1000;

/** Loads the requests of the run, and handles navigation. */
export class WirePane implements SideList {
  readonly tab = 'wire';
  readonly cache = new RowCache<WireRow>();
  private readonly asking = new Timer(() => {
    if (!this.typing.isPending) this.ask();
  });
  /** What is pending goes on, even if the agent is silent. */
  private readonly askAgain = new Timer(() => this.askSoon());
  private readonly typing = new Timer(() => {
    this.cache.clear();
    this.ask();
  });
  /** The record whose row should be selected. */
  private wanted: number | undefined;

  constructor(
    private readonly page: Page,
    private readonly cursor: Cursor,
  ) {}

  private get wire(): Wire {
    return this.page.view.wire;
  }

  get q(): string {
    return this.wire.q;
  }

  /** Called when the tab opens. Selects the row of the record selected in the log. */
  show(): void {
    this.wanted = this.wire.index < 0 ? this.cursor.current : undefined;
    this.ask();
  }

  ask(): void {
    this.typing.stop();
    const { q, order, row = null } = this.wire;
    this.page.ask('wire.find', { q, order, row }, (result) => this.onResult(result));
  }

  /** Requests rows soon, because the run has more records. */
  askSoon(): void {
    if (this.page.view.tab === 'wire') this.asking.start(askDelay);
  }

  setFilter(q: string, isTyped = false): void {
    if (q === this.wire.q) return;
    this.set({ q });
    if (!isTyped) this.page.update({ completions: undefined });
    this.typing.restart(isTyped ? typingDelay : 0);
  }

  setOrder(order: Wire['order']): void {
    this.cache.clear();
    this.set({ order });
    this.ask();
  }

  need(first: number, count: number): void {
    const total = this.wire.result?.total ?? 0;
    for (const page of this.cache.wanted(first, count, total)) {
      this.page.ask('wire.rows', page, (rows) => {
        this.cache.put(page.from, rows);
        this.onRows();
      });
    }
  }

  select(index: number): void {
    this.page.setFollow(false);
    this.set({ index, row: this.cache.get(index)?.row });
    if (this.wire.body !== undefined) this.open();
  }

  /** Rows have come; the selected one may be among them. */
  private onRows(): void {
    const { index, row } = this.wire;
    if (index >= 0 && row === undefined && this.cache.get(index)) this.select(index);
    else this.page.update({});
  }

  /** Selects a row, and opens it. */
  pick(index: number): void {
    this.set({ index, row: this.cache.get(index)?.row });
    this.open();
  }

  /** Shows the message and the answer of the selected row. The previous ones stay visible while they load. */
  open(): void {
    const { row, index } = this.wire;
    if (row !== undefined) {
      this.page.ask('wire.body', { row }, (body) => {
        if (body && row === this.wire.row && this.wire.body !== undefined) this.set({ body });
      });
    } else if (index < 0) return;
    if (this.wire.body === undefined) this.set({ body: null });
  }

  close(): void {
    this.set({ body: undefined });
  }

  copy(): void {
    const { row } = this.wire;
    if (row !== undefined) this.page.ask('wire.copy', { row });
  }

  next(dir: 1 | -1, what: NextWhat): void {
    const { index } = this.wire;
    const from = index < 0 ? null : index;
    this.page.ask('wire.next', { index: from, dir, what }, (found) => this.onFound(found, what));
  }

  private onFound({ index, said }: WireFound, what: NextWhat): void {
    if (said !== '') this.page.update({ said });
    if (index < 0) return;
    if (what === 'problem') this.pick(index);
    else this.select(index);
  }

  private nextMark(): void {
    const { marks, row = -1 } = this.wire;
    const sorted = [...marks].sort((a, b) => a - b);
    const next = sorted.find((one) => one > row) ?? sorted[0];
    if (next === undefined) return;
    this.set({ row: next });
    this.ask();
    if (this.wire.body !== undefined) this.open();
  }

  private escape(): void {
    const { body, q } = this.wire;
    if (body !== undefined) this.close();
    else if (this.page.view.setAside.wire !== undefined) toggleContext(this.page, this);
    else if (hasTimes(q)) this.setFilter(withTimes(q, undefined));
    else this.set({ index: -1, row: undefined });
  }

  /** Shows the record of the selected row in the Log tab. */
  showRecord(): void {
    const row = this.cache.get(this.wire.index);
    if (!row) return;
    this.page.showLog();
    this.cursor.reveal(row.seq, '');
  }

  /** What the keys of the list do. */
  moves(pageRows: number): KeyActions {
    const { index, row, result, order } = this.wire;
    const last = (result?.total ?? 0) - 1;
    return {
      ...rowMoves({ from: (rows) => index + rows, last, pageRows, to: (place) => this.select(place) }),
      Enter: () => this.open(),
      Escape: () => this.escape(),
      ...sideListKeys(this.page, this),
      b: () => row !== undefined && this.set({ marks: toggledIn(this.wire.marks, row) }),
      B: () => this.nextMark(),
      y: () => this.copy(),
      l: () => this.showRecord(),
      s: () => this.setOrder(order === 'slowest' ? 'time' : 'slowest'),
      p: () => this.setOrder(order === 'pending' ? 'time' : 'pending'),
    };
  }

  private onResult(result: WireResult): void {
    this.cache.invalidate();
    const { counts, total } = result;
    const isFirst = this.wire.result === undefined;
    // A row that is still loading is known by its place only.
    const index = this.wire.row === undefined ? Math.min(this.wire.index, total - 1) : result.index;
    this.set({ result, index });
    if (counts.pending > 0 && this.page.view.run.isLive) this.askAgain.restart(pendingDelay);
    // An agent's own stream has no requests.
    if (isFirst && this.wire.q === firstWireFilter && total === 0 && counts.notifications > 0) {
      return this.setFilter('');
    }
    if (this.wanted === undefined) return;
    this.page.ask('wire.locate', { seq: this.wanted }, (place) => {
      if (place >= 0) this.select(place);
    });
    this.wanted = undefined;
  }

  private set(change: Partial<Wire>): void {
    this.page.update({ wire: { ...this.wire, ...change } });
  }
}
