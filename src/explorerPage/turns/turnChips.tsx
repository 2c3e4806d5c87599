import type { JSX } from 'preact';
import type { Explorer } from '../explorer';

/** Toggles the table of tools, and resets the zoom. */
export function TurnChips({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { strings, turns } = explorer.view;
  return (
    <div class="chips">
      <button
        type="button"
        class="chip"
        aria-pressed={turns?.isByTool === true}
        onClick={() => explorer.turnsPane.toggleTable()}
      >
        {strings.toolTable}
      </button>
      {turns?.range && (
        <button type="button" class="chip" onClick={() => explorer.turnsPane.zoom(undefined)}>
          {strings.zoomOut}
        </button>
      )}
    </div>
  );
}
