import type { JSX } from 'preact';
import type { Explorer } from './explorer';
import { Icon } from './icons';
import { fill } from './text';

/** Messages about the run and the filter, one line each. */
export function Notices({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { strings, run, contextOf, tab, wire, turns, failure } = explorer.view;
  const { hints, error = '' } = { log: explorer.view.result, wire: wire.result, turns }[tab] ?? {};
  const trouble = failure === '' ? error : failure;
  return (
    <>
      {run.isClosed && (
        <p class="notice">
          <Icon name="warning" />
          {fill(strings.closedRun, run.name)}
          {run.hasJournal && (
            <button type="button" class="link" onClick={() => explorer.act('openRunJournal')}>
              {strings.openJournal}
            </button>
          )}
          <button type="button" class="link" onClick={() => explorer.act('openFile')}>
            {strings.openFile}
          </button>
        </p>
      )}
      {run.progress !== undefined && (
        <p class="notice">
          <progress value={run.progress} aria-label={run.name} />
          {fill(strings.reading, Math.floor(run.progress * 100))}
        </p>
      )}
      {trouble !== '' && (
        <p class="notice error" role="alert">
          <Icon name="error" />
          {trouble}
        </p>
      )}
      {hints?.map((hint) => (
        <p class="notice" key={hint}>
          <Icon name="lightbulb" />
          {hint}
        </p>
      ))}
      {contextOf !== undefined && tab === 'log' && (
        <p class="notice">
          <Icon name="unfold" />
          {strings.context}
          <button type="button" class="link" onClick={() => explorer.cursor.toggleContext()}>
            {strings.backToFilter}
          </button>
        </p>
      )}
    </>
  );
}
