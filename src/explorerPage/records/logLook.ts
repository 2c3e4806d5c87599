import { levels } from '../../text/level';
import type { Row } from '../../explorer/page/messages';
import { isContiguous } from '../filter/queryText';
import type { List } from '../list/list';
import type { RowLook } from '../list/rowView';
import { part } from '../list/rowView';
import { roughDuration } from '../../text/text';
import { clock, levelLetters, minGap } from '../kit/text';
import type { Translate } from '../texts';

const columns = ['time', 'level', 'session', 'logger', 'message'] as const;
type Column = (typeof columns)[number];

/** A problem that no longer holds looks like a notice. */
const settledLevel = levels.indexOf('notice');

/** What a record looks like as a row. */
export class LogLook implements RowLook<Row, Column> {
  readonly prefix = 'row';
  readonly cells = columns;
  readonly main = 'message';
  readonly fitting = ['session', 'logger'] as const;
  private gaps = { q: '', areMarked: true };

  constructor(
    private readonly t: Translate,
    private readonly list: List<Row>,
  ) {}

  /** Whether stretches of time without records are marked; not if the filter picks single ones. */
  get stamp(): boolean {
    const { q } = this.list.state;
    // Asked for each row of each frame.
    if (q !== this.gaps.q) this.gaps = { q, areMarked: isContiguous(q) };
    return this.gaps.areMarked;
  }

  draw(row: Row, cells: Readonly<Record<Column, HTMLElement>>, element: HTMLElement, before: Row | undefined): string {
    cells.time.textContent = clock(row.at);
    cells.level.textContent = levelLetters[row.level] ?? '';
    cells.level.setAttribute('aria-label', levels[row.level] ?? '');
    cells.session.textContent = row.tag;
    cells.logger.textContent = row.logger;
    cells.message.textContent = row.message;
    element.querySelector('.gap')?.remove();
    const gap = before && this.stamp ? row.at - before.at : 0;
    if (gap >= minGap) {
      const label = part('gap', this.t('{0} later', roughDuration(gap)));
      label.setAttribute('aria-hidden', 'true');
      element.append(label);
    }
    return [
      `level-${row.isSettled ? settledLevel : row.level}`,
      row.kind === 'diagnosis' ? 'diagnosis' : '',
      gap >= minGap ? 'after-gap' : '',
    ].join(' ');
  }
}
