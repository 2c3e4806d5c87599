import type { JSX } from 'preact';
import type { WireResult } from '../../ui/explorer/messages';
import type { WireRow } from '../../ui/explorer/wire/wireMessages';
import type { Explorer } from '../explorer';
import { clock, fileSize, length } from '../text';
import { placed, share } from '../styled';
import type { Translate } from '../texts';

/** A symbol for each status, so that it doesn't depend on color. */
const glyphs: Readonly<Record<WireRow['status'], string>> = {
  none: '',
  pending: '…',
  ok: '✓',
  error: '✗',
  cancelled: '⊘',
  unanswered: '?',
};
const statuses: Readonly<Record<WireRow['status'], (t: Translate) => string>> = {
  none: () => '',
  pending: (t) => t('pending'),
  ok: (t) => t('ok'),
  error: (t) => t('failed'),
  cancelled: (t) => t('cancelled'),
  unanswered: (t) => t('no answer'),
};
const directions: Readonly<Record<WireRow['direction'], (t: Translate) => string>> = {
  out: (t) => t('to the agent'),
  in: (t) => t('from the agent'),
};
const arrows: Readonly<Record<WireRow['direction'], string>> = { out: '→', in: '←' };

interface WireRowProps {
  readonly explorer: Explorer;
  /** Absent while loading. */
  readonly row: WireRow | undefined;
  readonly index: number;
  readonly isSelected: boolean;
  readonly result: WireResult;
}

export function WireRowView({ explorer, row, index, isSelected, result }: WireRowProps): JSX.Element {
  const { t } = explorer.view;
  return (
    <div
      id={`wire-${index}`}
      class={`turn-row${isSelected ? ' selected' : ''}${row && explorer.view.wire.marks.has(row.row) ? ' marked' : ''}`}
      role="row"
      aria-rowindex={index + 1}
      aria-selected={isSelected}
      onClick={() => explorer.wirePane.pick(index)}
    >
      {row && (
        <>
          <span class="turn-cell at" role="gridcell">
            {clock(row.at)}
          </span>
          <span class="turn-cell method" role="gridcell">
            <span class="kind" role="img" aria-label={directions[row.direction](t)}>
              {arrows[row.direction]}
            </span>{' '}
            {row.method}
          </span>
          <span class="turn-cell status" role="gridcell">
            {row.status !== 'none' && (
              <span class={`outcome ${row.status}`} role="img" aria-label={statuses[row.status](t)}>
                {glyphs[row.status]}
              </span>
            )}{' '}
            {row.code}
          </span>
          <span class="turn-cell took" role="gridcell">
            {row.took >= 0 ? length(row.took) : row.status === 'pending' ? length(result.now - row.at) : ''}
          </span>
          <span class="turn-cell took" role="gridcell">
            {fileSize(row.size)}
          </span>
          <span class="turn-cell time" role="gridcell">
            <Bar row={row} result={result} />
          </span>
          <span class="turn-cell session" role="gridcell">
            {row.session}
          </span>
        </>
      )}
    </div>
  );
}

/** The row's position on the time axis of all matches. */
function Bar({ row, result }: { readonly row: WireRow; readonly result: WireResult }): JSX.Element {
  const whole = Math.max(1, result.to - result.from);
  const end = row.status === 'pending' ? result.now : row.at + Math.max(0, row.took);
  const from = (row.at - result.from) / whole;
  return (
    <span class="track" aria-hidden="true">
      <span
        class={`bar-of ${row.kind} ${row.status}`}
        ref={placed(`min(${share(from)}, 100% - 2px)`, (end - row.at) / whole)}
      />
    </span>
  );
}
