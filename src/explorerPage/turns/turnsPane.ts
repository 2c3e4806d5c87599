import type { HostMessage, SpanRow } from '../../ui/explorer/messages';
import type { Explorer } from '../explorer';
import type { TurnLine } from './turnTree';
import { turnLines } from './turnTree';

/** What the Turns tab shows. */
export interface Turns {
  readonly rows: readonly SpanRow[];
  /** When they were asked for, in milliseconds since the epoch. */
  readonly now: number;
  readonly lines: readonly TurnLine[];
  readonly closed: ReadonlySet<string>;
  /** The key of a line. */
  readonly selected: string | undefined;
  /** The span that has the whole width. */
  readonly zoomed: string | undefined;
}

/** Spans are asked for at most this often, in milliseconds. */
const askDelay = 1000;

/** Knows the turns of the run, and moves through them. */
export class TurnsPane {
  private asking: number | undefined;

  constructor(private readonly explorer: Explorer) {}

  private get turns(): Turns | undefined {
    return this.explorer.view.turns;
  }

  ask(): void {
    this.explorer.post({ t: 'turns' });
  }

  /** The run has more records. */
  askSoon(): void {
    if (this.asking !== undefined || this.explorer.view.tab !== 'turns') return;
    this.asking = window.setTimeout(() => {
      this.asking = undefined;
      this.ask();
    }, askDelay);
  }

  receive({ rows, now }: HostMessage & { t: 'turns' }): void {
    const { closed = new Set<string>(), selected, zoomed } = this.turns ?? {};
    this.explorer.update({ turns: { rows, now, lines: turnLines(rows, closed), closed, selected, zoomed } });
  }

  select(key: string | undefined): void {
    if (this.turns) this.explorer.update({ turns: { ...this.turns, selected: key } });
  }

  toggle(key: string, isOpen: boolean): void {
    const { turns } = this;
    if (!turns) return;
    const closed = new Set(turns.closed);
    if (isOpen) closed.delete(key);
    else closed.add(key);
    this.explorer.update({ turns: { ...turns, closed, lines: turnLines(turns.rows, closed) } });
  }

  /** Gives the selected span the whole width, or goes back to all of them. */
  toggleZoom(): void {
    const { turns } = this;
    if (!turns) return;
    const zoomed = turns.zoomed === undefined ? this.selectedLine?.row?.id : undefined;
    this.explorer.update({ turns: { ...turns, zoomed } });
  }

  /** Shows the records of the selected span in the Log tab. */
  showRecords(): void {
    const row = this.selectedLine?.row;
    if (!row) return;
    this.explorer.setTab('log');
    this.explorer.setFilter(`seq:${row.firstSeq}..${row.lastSeq}`);
    // The list has to be drawn first.
    setTimeout(() => this.explorer.focusGrid());
  }

  get selectedLine(): TurnLine | undefined {
    return this.turns?.lines.find(({ key }) => key === this.turns?.selected);
  }

  /** @returns whether the key has a meaning here */
  onKey(key: string, pageRows: number): boolean {
    const { turns } = this;
    if (!turns || turns.lines.length === 0) return false;
    const index = turns.lines.findIndex((line) => line.key === turns.selected);
    const to = (place: number): void => {
      this.select(turns.lines[Math.max(0, Math.min(turns.lines.length - 1, place))]?.key);
    };
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => to(index + 1),
      j: () => to(index + 1),
      ArrowUp: () => to(index - 1),
      k: () => to(index - 1),
      PageDown: () => to(index + pageRows),
      PageUp: () => to(index - pageRows),
      Home: () => to(0),
      g: () => to(0),
      End: () => to(turns.lines.length - 1),
      G: () => to(turns.lines.length - 1),
      ArrowRight: () => this.goIn(turns.lines[index], () => to(index + 1)),
      ArrowLeft: () => this.goOut(turns.lines[index], to),
      Enter: () => this.showRecords(),
      z: () => this.toggleZoom(),
      Escape: () => (turns.zoomed === undefined ? this.select(undefined) : this.toggleZoom()),
    };
    moves[key]?.();
    return moves[key] !== undefined;
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
