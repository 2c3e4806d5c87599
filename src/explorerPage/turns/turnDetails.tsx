import type { JSX } from 'preact';
import type { Explorer } from '../explorer';
import { clock, fill } from '../text';

/** Details of the selected span: how it spent its time, how it ended, and a link to its records. */
export function TurnDetails({ explorer }: { readonly explorer: Explorer }): JSX.Element | null {
  const { strings, turns } = explorer.view;
  const row = explorer.turnsPane.selectedLine?.row;
  if (!row || !turns) return null;
  const detail = row.detail === '' ? '' : ` (${row.detail})`;
  return (
    <section class="turn-details" role="region" aria-label={strings.details}>
      <div class="title">{row.title}</div>
      {row.summary !== '' && <div class="summary">{row.summary}</div>}
      <div class="quiet">
        {`${strings.spanKinds[row.kind]} · ${clock(row.start)} · ${strings.outcomes[row.outcome]}${detail}`}
      </div>
      <div class="buttons">
        <button type="button" class="link" onClick={() => explorer.turnsPane.showRecords()}>
          {fill(strings.showRecords, `${row.firstSeq}–${row.lastSeq}`)}
        </button>
        <button
          type="button"
          class="link"
          aria-pressed={turns.range !== undefined}
          onClick={() => explorer.turnsPane.toggleZoom()}
        >
          {turns.range ? strings.zoomOut : strings.zoomIn}
        </button>
        {row.kind === 'turn' && (
          <button type="button" class="link" onClick={() => explorer.turnsPane.compare()}>
            {strings.compare}
          </button>
        )}
      </div>
    </section>
  );
}
