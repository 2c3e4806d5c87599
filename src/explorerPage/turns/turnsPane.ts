import type { NextWhat, SpanRow, TurnsResult } from '../../ui/explorer/messages';
import type { Page } from '../page';
import type { KeyActions } from '../rowMoves';
import { rowMoves, toggledIn } from '../rowMoves';
import type { SideList } from '../sideList';
import { sideListKeys, toggleContext } from '../sideList';
import { Timer } from '../timer';
import type { Turns } from '../view';
import type { TimeRange } from './timeAxis';
import { endOf, timeAxis } from './timeAxis';
import type { TurnLine } from './turnTree';
import { turnLines } from './turnTree';

/** Minimum time between two requests for spans, in milliseconds. */
const askDelay = 1000;
/** Time until what is open is asked for again, in milliseconds. */
const openDelay = 500;
const typingDelay = 30;

/** Loads the turns of the run, and handles navigation. */
export class TurnsPane implements SideList {
  readonly tab = 'turns';
  private readonly asking = new Timer(() => this.ask());
  private readonly typing = new Timer(() => this.find());
  /** Whether the spans may have changed since the last rows came. */
  private isOutdated = true;
  /** What is open goes on, even if the agent is silent. */
  private readonly askAgain = new Timer(() => this.askSoon());
  /** The record whose span should be selected. */
  private wanted: number | undefined;

  constructor(private readonly page: Page) {}

  private get turns(): Turns | undefined {
    return this.page.view.turns;
  }

  get q(): string {
    return this.page.view.turnsQ;
  }

  ask(): void {
    this.isOutdated = true;
    this.find();
  }

  private find(): void {
    this.typing.stop();
    const rows = !this.isOutdated ? 'same' : this.turns ? 'all' : 'oldest';
    this.page.ask('turns.find', { q: this.q, rows }, (result) => this.onResult(result));
  }

  /** Requests spans soon, because the run has more records. */
  askSoon(): void {
    if (this.page.view.tab === 'turns') this.asking.start(askDelay);
  }

  /** Called when the tab opens. Selects the span of the record selected in the log. */
  show(): void {
    this.wanted = this.turns?.selected === undefined ? this.page.view.selection?.seq : undefined;
    this.ask();
  }

  private onResult(result: TurnsResult): void {
    const { total, now, dropped, isBeginning, hints, error } = result;
    const rows = result.rows ?? this.turns?.rows ?? [];
    this.isOutdated = isBeginning;
    const {
      closed = new Set<string>(),
      selected,
      range,
      isByTool = false,
      marks = new Set<string>(),
    } = this.turns ?? {};
    const found = this.wanted === undefined ? undefined : spanOf(rows, this.wanted, now);
    if (!isBeginning) this.wanted = undefined;
    if (this.page.view.run.isLive && rows.some(({ end }) => end < 0)) this.askAgain.restart(openDelay);
    const shown = result.shown?.flatMap((index) => rows[index] ?? []) ?? rows;
    const lines = turnLines(shown, closed);
    this.page.update({
      turns: {
        rows,
        shown,
        total,
        now,
        dropped,
        hints,
        error,
        lines,
        closed,
        selected: found?.id ?? selected,
        range,
        isByTool,
        marks,
      },
    });
    if (isBeginning) this.find();
  }

  setFilter(q: string, isTyped = false): void {
    this.page.update({ turnsQ: q, ...(!isTyped && { completions: undefined }) });
    this.typing.restart(isTyped ? typingDelay : 0);
  }

  select(key: string | undefined): void {
    if (key !== undefined) this.page.setFollow(false);
    this.set({ selected: key });
  }

  toggle(key: string, isOpen: boolean): void {
    const { turns } = this;
    if (!turns) return;
    const closed = new Set(turns.closed);
    if (isOpen) closed.delete(key);
    else closed.add(key);
    this.set({ closed, lines: turnLines(turns.shown, closed) });
  }

  /** Zooms to the selected span, or back to everything. */
  toggleZoom(): void {
    const row = this.selectedLine?.row;
    const now = this.turns?.now ?? 0;
    if (this.turns?.range) this.zoom(undefined);
    else if (row) this.zoom({ from: row.start, to: endOf(row, now) });
  }

  /** Shows a time range, or everything. */
  zoom(range: TimeRange | undefined): void {
    this.set({ range: range && range.to - range.from >= 1 ? range : undefined });
  }

  toggleTable(): void {
    this.set({ isByTool: this.turns?.isByTool === false });
  }

  /** Zooms around the selected span, or around the center. */
  private zoomBy(factor: number): void {
    const { turns } = this;
    if (!turns) return;
    const whole = timeAxis(turns.rows, turns.now);
    const { from, to } = turns.range ?? whole;
    const row = this.selectedLine?.row;
    const middle = row ? (row.start + endOf(row, turns.now)) / 2 : (from + to) / 2;
    const half = ((to - from) * factor) / 2;
    const range = { from: Math.max(whole.from, middle - half), to: Math.min(whole.to, middle + half) };
    this.zoom(range.from <= whole.from && range.to >= whole.to ? undefined : range);
  }

  /** Moves the time range by a fraction of its length. */
  private pan(share: number): void {
    const range = this.turns?.range;
    if (!range) return;
    const by = (range.to - range.from) * share;
    this.zoom({ from: range.from + by, to: range.to + by });
  }

  /** Shows the records of the selected span in the Log tab. */
  showRecords(): void {
    const row = this.selectedLine?.row;
    if (!row) return;
    this.page.showLog();
    this.page.setFilter(`seq:${row.firstSeq}..${row.lastSeq}`);
  }

  /** Compares the selected turn with one that the user picks. */
  compare(): void {
    const row = this.selectedLine?.row;
    if (row?.kind === 'turn') this.page.ask('turns.compare', { id: row.id });
  }

  /** Selects the next span that failed, or the next of another session. */
  next(dir: 1 | -1, what: NextWhat): void {
    const lines = this.turns?.lines ?? [];
    const from = lines.findIndex(({ key }) => key === this.turns?.selected);
    const session = lines[from]?.row?.sessionKey ?? lines[from]?.key.slice('session '.length);
    const fits = ({ row }: TurnLine): boolean => {
      if (!row) return false;
      return what === 'session' ? row.sessionKey !== session : row.outcome === 'error' || row.outcome === 'unanswered';
    };
    const found =
      dir === 1 ? lines.slice(from + 1).find(fits) : lines.slice(0, from < 0 ? undefined : from).findLast(fits);
    if (found) this.select(found.key);
    else {
      const { t } = this.page.view;
      this.page.update({ said: what === 'session' ? t('No record of another session') : t('No more problems') });
    }
  }

  private nextMark(from: number): void {
    const { lines = [], marks } = this.turns ?? {};
    const isMarked = ({ key }: TurnLine): boolean => marks?.has(key) === true;
    const next = lines.slice(from + 1).find(isMarked) ?? lines.find(isMarked);
    if (next) this.select(next.key);
  }

  private escape(): void {
    if (this.turns?.range) this.zoom(undefined);
    else if (this.turns?.selected !== undefined) this.select(undefined);
    else if (this.page.view.setAside.turns !== undefined) toggleContext(this.page, this);
  }

  get selectedLine(): TurnLine | undefined {
    return this.turns?.lines.find(({ key }) => key === this.turns?.selected);
  }

  /** What the keys of the list do. */
  moves(pageRows: number): KeyActions {
    const { turns } = this;
    if (!turns || turns.lines.length === 0) return {};
    const index = turns.lines.findIndex((line) => line.key === turns.selected);
    const to = (place: number): void => this.select(turns.lines[place]?.key);
    const list = rowMoves({ from: (rows) => index + rows, last: turns.lines.length - 1, pageRows, to });
    return {
      ...list,
      ArrowRight: () => this.goIn(turns.lines[index], () => list['ArrowDown']?.()),
      ArrowLeft: () => this.goOut(turns.lines[index], to),
      Enter: () => this.showRecords(),
      z: () => this.toggleZoom(),
      '+': () => this.zoomBy(0.5),
      '-': () => this.zoomBy(2),
      '<': () => this.pan(-0.25),
      '>': () => this.pan(0.25),
      t: () => this.toggleTable(),
      d: () => this.compare(),
      l: () => this.showRecords(),
      ...sideListKeys(this.page, this),
      b: () => turns.selected !== undefined && this.set({ marks: toggledIn(turns.marks, turns.selected) }),
      B: () => this.nextMark(index),
      y: () => turns.selected !== undefined && this.page.ask('turns.copy', { id: turns.selected }),
      Escape: () => this.escape(),
    };
  }

  private set(change: Partial<Turns>): void {
    if (this.turns) this.page.update({ turns: { ...this.turns, ...change } });
  }

  private goIn(line: TurnLine | undefined, next: () => void): void {
    if (line?.isOpen === false) this.toggle(line.key, true);
    else if (line?.isOpen === true) next();
  }

  private goOut(line: TurnLine | undefined, to: (index: number) => void): void {
    if (line?.isOpen === true) this.toggle(line.key, false);
    else if (line && line.parent >= 0) to(line.parent);
  }
}

/** The shortest span that covers a record. */
function spanOf(rows: readonly SpanRow[], seq: number, now: number): SpanRow | undefined {
  const lengthOf = (row: SpanRow): number => endOf(row, now) - row.start;
  return rows
    .filter(({ firstSeq, lastSeq }) => seq >= firstSeq && seq <= lastSeq)
    .reduce<SpanRow | undefined>((best, row) => (best && lengthOf(best) <= lengthOf(row) ? best : row), undefined);
}
