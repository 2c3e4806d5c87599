import { levels } from '../../log/level';
import type { Row } from '../../ui/explorer/messages';
import { clock, levelLetters, minGap, span } from '../text';
import type { Translate } from '../texts';

/** Decorations of one row. */
export interface RowMarks {
  readonly isSelected: boolean;
  readonly isMarked: boolean;
  /** Milliseconds since the record before. */
  readonly gap: number;
}

/** A pooled row of the grid. Record text is shown by text nodes only. */
export class RowView {
  readonly element = document.createElement('div');
  private readonly cells: Readonly<Record<'time' | 'level' | 'session' | 'logger' | 'message', HTMLElement>>;
  private readonly gapLabel = document.createElement('span');
  private shown = '';

  constructor(private readonly t: Translate) {
    this.element.setAttribute('role', 'row');
    this.element.className = 'row';
    const cell = (name: string): HTMLElement => {
      const made = document.createElement('span');
      made.setAttribute('role', 'gridcell');
      made.className = `cell ${name}`;
      this.element.append(made);
      return made;
    };
    this.cells = {
      time: cell('time'),
      level: cell('level'),
      session: cell('session'),
      logger: cell('logger'),
      message: cell('message'),
    };
    this.gapLabel.className = 'gap';
    this.gapLabel.setAttribute('aria-hidden', 'true');
    this.element.append(this.gapLabel);
  }

  /** Draws a record, or a placeholder while it is loading, unless it is already shown. */
  show(index: number, row: Row | undefined, marks: RowMarks): void {
    this.element.id = `row-${index}`;
    const gap = marks.gap >= minGap ? this.t('{0} later', span(marks.gap)) : '';
    const key = `${index} ${row?.seq ?? ''} ${marks.isSelected} ${marks.isMarked} ${gap}`;
    if (key === this.shown) return;
    this.shown = key;
    const { element, cells } = this;
    element.setAttribute('aria-rowindex', String(index + 1));
    element.setAttribute('aria-selected', String(marks.isSelected));
    element.className = [
      'row',
      row ? `level-${row.level}` : 'waiting',
      row?.kind === 'diagnosis' ? 'diagnosis' : '',
      marks.isSelected ? 'selected' : '',
      marks.isMarked ? 'marked' : '',
      gap === '' ? '' : 'after-gap',
    ].join(' ');
    cells.time.textContent = row ? clock(row.at) : '';
    cells.level.textContent = row ? (levelLetters[row.level] ?? '') : '';
    cells.level.setAttribute('aria-label', row ? (levels[row.level] ?? '') : '');
    cells.session.textContent = row?.session ?? '';
    cells.logger.textContent = row?.logger ?? '';
    cells.message.textContent = row?.message ?? '…';
    this.gapLabel.textContent = gap;
    if (row) element.dataset['vscodeContext'] = JSON.stringify({ webviewSection: 'record', seq: row.seq });
    else delete element.dataset['vscodeContext'];
    element.title = '';
  }
}
