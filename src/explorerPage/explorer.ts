import type {
  AnswerOf,
  ArgsOf,
  CallName,
  FirstPage,
  Pushes,
  RecordAction,
  RunInfo,
  Tab,
} from '../explorer/page/messages';
import type { PageState } from '../explorer/page/pageState';
import { printState } from '../explorer/page/pageState';
import type { Host } from './host';
import type { ColumnChange, Columns } from './list/columns';
import { columnKey, printColumns } from './list/columns';
import type { Id } from './list/rows';
import { LogTab } from './records/logTab';
import type { Page } from './page';
import type { Texts } from './texts';
import { Timer } from './kit/timer';
import { TurnsTab } from './turns/turnsTab';
import type { View } from './view';
import { firstView } from './view';
import { WireTab } from './wire/wireTab';

/** The host gets the page's state this long after a change, in milliseconds. */
const stateDelay = 250;

export interface ExplorerOptions {
  readonly texts: Texts;
  readonly run: RunInfo;
  readonly state: PageState;
  readonly columns: Columns;
  /** What the tab would ask first. */
  readonly first: Pick<FirstPage, 'wire' | 'turns'>;
  readonly host: Host;
  readonly focusFilter: () => void;
  /** Saves the state for a reload. */
  keep(state: string): void;
}

/** The page's state, and what it asks its host. The view is drawn again whenever it changes. */
export class Explorer implements Page {
  view: View;
  readonly log: LogTab;
  readonly wire: WireTab;
  readonly turns: TurnsTab;
  private readonly listeners = new Set<() => void>();
  private readonly keeping = new Timer(() => this.ask('page.keep', { state: this.kept }));
  private readonly settling = new Timer(() => this.keepSoon());
  private readonly keepingColumns = new Timer(() =>
    this.ask('page.columns', { columns: printColumns(this.view.columns) }),
  );
  private kept = '';

  constructor(private readonly options: ExplorerOptions) {
    const { texts, run, state, columns, first } = options;
    this.view = firstView(texts, run, state, columns);
    this.log = new LogTab(this, state);
    this.wire = new WireTab(this, this.log, state, first.wire);
    this.turns = new TurnsTab(this, this.log, state, first.turns);
  }

  /** Begins to listen to the host. */
  start(): void {
    const { host, focusFilter, state } = this.options;
    host.listen({
      result: (result) => {
        // The first matches of a filter don't mean that there is anything new.
        if (this.log.onResult(result)) return;
        this.wire.askSoon();
        this.turns.askSoon();
      },
      run: (run) => {
        this.update({ run });
        this.log.list.locateWanted();
      },
      open: (wanted) => this.open(wanted),
      turns: () => this.turns.askSoon(),
      focus: focusFilter,
    });
    if (state.isOpen && state.seq !== undefined) this.log.open(state.seq);
  }

  /** The tab that is shown. */
  get tab(): LogTab | WireTab | TurnsTab {
    return this[this.view.tab];
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
    this.keepSoon();
  }

  complete(text: string, caret: number): void {
    this.ask(`${this.view.tab}.complete`, { text, caret }, (items) => this.update({ completions: { text, items } }));
  }

  private open({ tab, q, seq, message, end = false, unlessSelected = false }: Pushes['open']): void {
    const { list } = this.log;
    if (unlessSelected && list.current !== undefined) return;
    if (message !== undefined) this.wire.revealMessage(message);
    if (seq !== undefined && (tab === 'wire' || tab === 'turns')) {
      // A tab that has just been opened at the record has its rows already.
      if (seq === list.current) this[tab].list.set({ isOpen: true });
      else {
        this[tab].reveal(seq);
        if (tab === this.view.tab) this[tab].show();
      }
    }
    if (tab !== undefined) this.setTab(tab);
    if (seq !== undefined) return list.reveal(seq, q);
    if (end) this.followNewest();
    if (q !== undefined) list.setFilter(q);
  }

  /** Leaves what is selected. */
  private followNewest(): void {
    const { list } = this.log;
    list.leave();
    this.setFollow(true);
    list.followEnd();
  }

  /** Shows the next problem of the run after what is selected in the tab, whatever the filter. */
  nextProblem(dir: 1 | -1): void {
    const seq = this.tab.seq ?? (dir === 1 ? 0 : Number.MAX_SAFE_INTEGER);
    this.ask('log.problem', { seq, dir }, ({ seq: found, said }) => {
      this.update({ said });
      if (found !== undefined) this.showProblem(found);
    });
  }

  /** Shows a problem and its explanation in the log. */
  showProblem(seq: number): void {
    if (this.view.tab === 'log') this.log.list.reveal(seq);
    else this.show('log', seq);
  }

  setFollow(follow: boolean): void {
    if (follow === this.view.follow) return;
    this.update({ follow });
    if (follow) this.tab.list.followEnd();
  }

  keepLater(): void {
    this.settling.start(stateDelay);
  }

  act(name: RecordAction, seq: Id | undefined = this.log.list.state.selection?.id): void {
    this.ask('record.act', { name, seqs: typeof seq === 'number' ? [seq] : [] });
  }

  setTab(tab: Tab): void {
    if (tab === this.view.tab) return;
    this.update({ tab });
    // Records came while another tab was shown.
    if (this.view.follow) this.tab.list.followEnd();
  }

  changeColumn(tab: Tab, name: string, change: ColumnChange): void {
    const { columns } = this.view;
    const key = columnKey(tab, name);
    this.setColumns({ ...columns, [key]: { ...columns[key], ...change } });
  }

  /** Shows the columns of a tab as they are at first. */
  resetColumns(tab: Tab): void {
    const others = Object.entries(this.view.columns).filter(([key]) => !key.startsWith(columnKey(tab, '')));
    this.setColumns(Object.fromEntries(others));
  }

  private setColumns(columns: Columns): void {
    this.update({ columns });
    this.keepingColumns.restart(stateDelay);
  }

  show(tab: Tab, seq?: number): void {
    if (seq !== undefined) this[tab].reveal(seq);
    this.setTab(tab);
    setTimeout(() => this.focusList()); // The tab must be rendered first.
  }

  /** Moves the focus to the list of the tab. */
  focusList(): void {
    document.querySelector<HTMLElement>('.panel:not([hidden]) .grid')?.focus({ preventScroll: true });
  }

  private keepSoon(): void {
    const { view, log, wire, turns } = this;
    const { q, marks } = log.list.state;
    const state = printState({
      run: view.run.id,
      tab: view.tab,
      q,
      wireQ: wire.result ? wire.list.state.q : undefined,
      wireSort: wire.sort,
      turnsQ: turns.list.state.q,
      turnsSort: turns.sort,
      seq: numberOf(log.list.current),
      isOpen: log.list.hasDetails,
      top: view.follow ? undefined : numberOf(log.list.top),
      follow: view.follow,
      seen: view.follow ? undefined : log.list.seen,
      split: view.split,
      marks: [...marks].flatMap((mark) => numberOf(mark) ?? []),
    });
    if (state === this.kept) return;
    this.kept = state;
    this.options.keep(state);
    this.keeping.restart(stateDelay);
  }
}

function numberOf(id: Id | undefined): number | undefined {
  return typeof id === 'number' ? id : undefined;
}
