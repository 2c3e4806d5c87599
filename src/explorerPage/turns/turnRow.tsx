import type { JSX } from 'preact';
import type { SpanRow } from '../../ui/explorer/messages';
import type { Explorer } from '../explorer';
import { placed, share, styled } from '../styled';
import { Icon } from '../icons';
import { length } from '../text';
import type { Translate } from '../texts';
import type { TimeAxis } from './timeAxis';
import { endOf } from './timeAxis';
import type { TurnLine } from './turnTree';

/** A symbol for each outcome, so that it doesn't depend on color. */
const outcomeGlyphs: Readonly<Record<SpanRow['outcome'], string>> = {
  ok: '✓',
  error: '✗',
  cancelled: '⊘',
  refused: '⊖',
  unanswered: '?',
  open: '…',
};

export const outcomes: Readonly<Record<SpanRow['outcome'], (t: Translate) => string>> = {
  ok: (t) => t('ok'),
  error: (t) => t('failed'),
  cancelled: (t) => t('cancelled'),
  refused: (t) => t('refused'),
  unanswered: (t) => t('no answer'),
  open: (t) => t('running'),
};
export const spanKinds: Readonly<Record<SpanRow['kind'], (t: Translate) => string>> = {
  turn: (t) => t('turn'),
  tool: (t) => t('tool'),
  permission: (t) => t('permission'),
  request: (t) => t('request'),
  subagent: (t) => t('subagent'),
  compaction: (t) => t('compaction'),
};

interface TurnRowProps {
  readonly explorer: Explorer;
  readonly line: TurnLine;
  readonly index: number;
  readonly isSelected: boolean;
  readonly axis: TimeAxis;
  readonly now: number;
}

export function TurnRow({ explorer, line, index, isSelected, axis, now }: TurnRowProps): JSX.Element {
  const { t } = explorer.view;
  const { row, isOpen, key, level, title } = line;
  return (
    <div
      id={`turn-${index}`}
      class={`turn-row${isSelected ? ' selected' : ''}${explorer.view.turns?.marks.has(key) === true ? ' marked' : ''}`}
      role="row"
      aria-level={level}
      aria-rowindex={index + 1}
      aria-expanded={isOpen}
      aria-selected={isSelected}
      onClick={() => explorer.turnsPane.select(key)}
      onDblClick={() => explorer.turnsPane.showRecords()}
    >
      <span class="turn-cell name" role="gridcell" ref={styled('padding-left', `${(level - 1) * 14}px`)}>
        <span
          class="twisty"
          aria-hidden="true"
          onClick={() => isOpen !== undefined && explorer.turnsPane.toggle(key, !isOpen)}
        >
          {isOpen !== undefined && <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} />}
        </span>
        {row && (
          <span class={`outcome ${row.outcome}`} role="img" aria-label={outcomes[row.outcome](t)}>
            {outcomeGlyphs[row.outcome]}
          </span>
        )}
        {row && row.kind !== 'turn' && title !== row.kind && <span class="kind">{spanKinds[row.kind](t)}</span>}
        <span class="title">{title}</span>
      </span>
      <span class="turn-cell time" role="gridcell">
        {row && <Bar row={row} axis={axis} now={now} />}
      </span>
      <span class="turn-cell took" role="gridcell">
        {row && length(endOf(row, now) - row.start)}
      </span>
      <span class="turn-cell tokens" role="gridcell">
        {row?.tokens}
      </span>
    </div>
  );
}

function Bar({ row, axis, now }: { row: SpanRow; axis: TimeAxis; now: number }): JSX.Element {
  const from = axis.at(row.start);
  const to = axis.at(endOf(row, now));
  return (
    <span class="track" aria-hidden="true">
      {(to > from || isInView(row, axis)) && (
        <span class={`bar-of ${row.kind} ${row.outcome}`} ref={placed(`min(${share(from)}, 100% - 2px)`, to - from)} />
      )}
    </span>
  );
}

function isInView({ start }: SpanRow, { from, to }: TimeAxis): boolean {
  return start >= from && start <= to;
}
