import type { WireRow } from '../../explorer/wire/wireMessages';
import type { RowLook } from '../list/rowView';
import { bar, part } from '../list/rowView';
import { outcomeGlyphs } from '../../work/outcome';
import { clock } from '../kit/text';
import type { Translate } from '../texts';
import type { WireTab } from './wireTab';

const glyphs: Readonly<Record<WireRow['status'], string>> = { ...outcomeGlyphs, none: '', pending: outcomeGlyphs.open };
const statuses: Readonly<Record<WireRow['status'], (t: Translate) => string>> = {
  none: () => '',
  pending: (t) => t('pending'),
  ok: (t) => t('ok'),
  error: (t) => t('failed'),
  cancelled: (t) => t('cancelled'),
  unanswered: (t) => t('no answer'),
};
const directions: Readonly<Record<WireRow['direction'], (t: Translate) => string>> = {
  out: (t) => t('from the client'),
  in: (t) => t('to the client'),
};
const arrows: Readonly<Record<WireRow['direction'], string>> = { out: '→', in: '←' };
const columns = ['time', 'method', 'status', 'took', 'size', 'bars', 'session'] as const;
type Column = (typeof columns)[number];

/** What a message looks like as a row. */
export class WireLook implements RowLook<WireRow, Column> {
  readonly prefix = 'wire';
  readonly cells = columns;
  readonly main = 'method';
  readonly fitting = ['session'] as const;

  constructor(
    private readonly t: Translate,
    private readonly tab: WireTab,
  ) {}

  /** The time axis spans all matches. */
  get stamp(): unknown {
    return this.tab.result;
  }

  draw(row: WireRow, cells: Readonly<Record<Column, HTMLElement>>): string {
    const { t } = this;
    const { from = 0, to = 0, now = 0 } = this.tab.result ?? {};
    const { at, status, took } = row;
    const whole = Math.max(1, to - from);
    const end = status === 'pending' ? now : at + Math.max(0, took);
    cells.time.textContent = clock(at);
    cells.method.replaceChildren(
      part('kind', arrows[row.direction], directions[row.direction](t)),
      ` ${row.method}`,
      ...(row.carried === '' ? [] : [part('carried', ` · ${row.carried}`)]),
    );
    cells.method.title = row.carried;
    cells.status.replaceChildren(
      ...(status === 'none' ? [] : [part(`outcome ${status}`, glyphs[status], statuses[status](t))]),
      ` ${row.code}`,
    );
    cells.took.textContent =
      took >= 0 ? t('{0}', { ms: took }) : status === 'pending' ? t('{0}', { ms: now - at }) : '';
    cells.size.textContent = t('{0}', { bytes: row.size });
    cells.bars.replaceChildren(bar(`${row.kind} ${status}`, (at - from) / whole, (end - at) / whole));
    cells.session.textContent = row.tag;
    return '';
  }
}
