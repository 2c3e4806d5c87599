import type { JSX } from 'preact';
import type { Explorer } from './explorer';
import { Icon } from './kit/icons';

/** Messages about the run and the filter, one line each. */
export function Notices({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { t, run, failure } = explorer.view;
  const { list } = explorer.tab;
  const { hints, error = '' } = list.state.matches ?? {};
  const trouble = failure === '' ? error : failure;
  return (
    <>
      {run.isClosed && (
        <p class="notice">
          <Icon name="warning" />
          {t('The run of {0} was closed. These are the records that were in memory.', run.name)}
          {run.hasJournal && (
            <button type="button" class="link" onClick={() => explorer.act('openRunJournal')}>
              {t('Open Journal')}
            </button>
          )}
          <button type="button" class="link" onClick={() => explorer.act('openFile')}>
            {t('Open Log File…')}
          </button>
        </p>
      )}
      {run.progress !== undefined && (
        <p class="notice">
          <progress value={run.progress} aria-label={run.name} />
          {t('Reading the file: {0} %', Math.floor(run.progress * 100))}
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
      {list.state.contextOf && (
        <p class="notice">
          <Icon name="unfold" />
          {t('Showing the records around the match.')}
          <button type="button" class="link" onClick={() => list.toggleContext()}>
            {t('Back to Filter')}
          </button>
        </p>
      )}
    </>
  );
}
