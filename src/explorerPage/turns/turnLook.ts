import type { SpanRow } from '../../explorer/turns/turnMessages';
import { iconElement } from '../kit/icons';
import type { RowLook } from '../list/rowView';
import { bar, part } from '../list/rowView';
import type { Translate } from '../texts';
import type { TimeAxis } from '../../query/timeAxis';
import { outcomeGlyphs } from '../../work/outcome';
import { endOf } from './timeAxis';
import type { TurnLine } from './turnTree';
import type { TurnsTab } from './turnsTab';

export const outcomes: Readonly<Record<SpanRow['outcome'], (t: Translate) => string>> = {
  ok: (t) => t('ok'),
  error: (t) => t('failed'),
  cancelled: (t) => t('cancelled'),
  refused: (t) => t('refused'),
  unanswered: (t) => t('no answer'),
  unknown: (t) => t('unknown answer'),
  open: (t) => t('running'),
};
const spanKinds: Readonly<Record<SpanRow['kind'], (t: Translate) => string>> = {
  turn: (t) => t('turn'),
  tool: (t) => t('tool'),
  permission: (t) => t('permission'),
  request: (t) => t('request'),
  subagent: (t) => t('subagent'),
  compaction: (t) => t('compaction'),
  hook: (t) => t('hook'),
  span: (t) => t('span'),
};
const laneKinds: Readonly<Record<NonNullable<SpanRow['lane']>, (t: Translate) => string>> = {
  mcp: (t) => t('MCP request'),
  progress: (t) => t('progress'),
  log: (t) => t('log'),
  stderr: (t) => t('stderr'),
};

/** `tool`, `MCP request` */
export function kindName({ kind, lane }: SpanRow, t: Translate): string {
  return (lane ? laneKinds[lane] : spanKinds[kind])(t);
}

/** Whether it has no duration: progress, or a line that a server logged. */
export function isPoint({ lane }: SpanRow): boolean {
  return lane !== undefined && lane !== 'mcp';
}

const columns = ['name', 'bars', 'took', 'tokens'] as const;
type Column = (typeof columns)[number];

/** What a session or a span looks like as a row. */
export class TurnLook implements RowLook<TurnLine, Column> {
  readonly prefix = 'turn';
  readonly cells = columns;
  readonly main = 'name';
  readonly fitting = ['tokens'] as const;

  constructor(
    private readonly t: Translate,
    private readonly tab: TurnsTab,
  ) {}

  get stamp(): TimeAxis {
    return this.tab.axis;
  }

  draw(line: TurnLine, cells: Readonly<Record<Column, HTMLElement>>, element: HTMLElement): string {
    const { row, isOpen, level, title } = line;
    const { t } = this;
    const { axis, now } = this.tab;
    element.setAttribute('aria-level', String(level));
    if (isOpen === undefined) element.removeAttribute('aria-expanded');
    else element.setAttribute('aria-expanded', String(isOpen));
    const twisty = part('twisty');
    twisty.setAttribute('aria-hidden', 'true');
    if (isOpen !== undefined) {
      twisty.append(iconElement(isOpen ? 'chevronDown' : 'chevronRight'));
      twisty.addEventListener('click', () => this.tab.toggle(line.key, !isOpen));
    }
    cells.name.style.setProperty('--depth', String(level - 1));
    cells.name.replaceChildren(
      twisty,
      ...(row && !isPoint(row)
        ? [part(`outcome ${row.outcome}`, outcomeGlyphs[row.outcome], outcomes[row.outcome](t))]
        : []),
      ...(row && row.kind !== 'turn' && title !== row.kind ? [part('kind', kindName(row, t))] : []),
      ...(row?.lane === 'mcp' && row.far?.isInferred === true
        ? [part('inferred', t('inferred'), inferredText(t))]
        : []),
      part('title', title),
      ...(row && row.changes !== '' ? [part('changes', row.changes, filesTitle(row))] : []),
    );
    cells.bars.replaceChildren(...(row ? barOf(row, axis, now) : []));
    cells.took.textContent = row && !isPoint(row) ? t('{0}', { ms: endOf(row, now) - row.start }) : '';
    // The text is cut at its end.
    cells.tokens.replaceChildren(...(row && row.jump !== '' ? [part('jump', '↑ ', row.jump)] : []), row?.tokens ?? '');
    cells.tokens.title = row ? [row.usage, row.jump].filter((text) => text !== '').join('\n') : '';
    return '';
  }
}

function filesTitle({ files }: SpanRow): string {
  return files.map(({ path, what }) => `${path} (${what})`).join('\n');
}

/** What joining the two runs is based on. */
export function inferredText(t: Translate): string {
  return t('Inferred: the names, the arguments and the times fit. Neither run names the other.');
}

function barOf(row: SpanRow, axis: TimeAxis, now: number): readonly HTMLElement[] {
  const from = axis.at(row.start);
  const to = axis.at(endOf(row, now));
  const look = row.lane === undefined ? row.kind : `lane ${row.lane}`;
  const isInView = to > from || (row.start >= axis.from && row.start <= axis.to);
  return isInView ? [bar(`${look} ${row.outcome}`, from, to - from)] : [];
}
