import type { JSX } from 'preact';
import { levels } from '../../text/level';
import type { RecordDetails as Loaded, RecordAction } from '../../explorer/page/messages';
import type { Explorer } from '../explorer';
import { Fields } from '../kit/fields';
import type { IconName } from '../kit/icons';
import { Icon, IconButton } from '../kit/icons';
import { Missing, RawText } from '../kit/rawText';
import { levelLetters } from '../kit/text';
import { ChangedFiles } from '../turns/changedFiles';
import { JsonTree } from './jsonTree';
import { Problem } from './problem';

/** What can be done with the selected record. */
export function RecordActions({ explorer }: { readonly explorer: Explorer }): JSX.Element | null {
  const { t, run } = explorer.view;
  const { details } = explorer.log.record;
  if (!details) return null;
  const action = (icon: IconName, label: string, name: RecordAction): JSX.Element => (
    <IconButton icon={icon} label={label} onPress={() => explorer.act(name, details.seq)} />
  );
  return (
    <>
      {action('copy', t('Copy Message'), 'copyMessage')}
      {action('json', t('Copy as JSON'), 'copyJson')}
      {run.hasEditor && (
        <>
          {action('markdown', t('Open as Text'), 'openAsText')}
          {action('listTree', t('Reveal in Tree'), 'revealInTree')}
          {action('output', t('Show Output'), 'showOutput')}
        </>
      )}
      {details.hasJournal && action('goToFile', t('Open Journal at Line'), 'openJournal')}
    </>
  );
}

/** One record, or a problem as an explanation. */
export function RecordDetails({ explorer }: { readonly explorer: Explorer }): JSX.Element | null {
  const { t } = explorer.view;
  const { details } = explorer.log.record;
  if (details === null) return <p class="empty">{t('This record is no longer in memory.')}</p>;
  return details ? <Content explorer={explorer} details={details} /> : null;
}

interface Props {
  readonly explorer: Explorer;
  readonly details: Loaded;
}

function Content({ explorer, details }: Props): JSX.Element {
  const { t } = explorer.view;
  return (
    <div
      class="content"
      key={details.seq}
      data-vscode-context={JSON.stringify({ webviewSection: 'record', seq: details.seq })}
    >
      {details.problem ? (
        <Problem explorer={explorer} details={details} problem={details.problem} />
      ) : (
        <>
          <p class={`headline level-${details.level}`}>
            <span class="letter" aria-hidden="true">
              {levelLetters[details.level]}
            </span>
            <span>{levels[details.level]}</span>
            <span class="quiet">{details.kind}</span>
          </p>
          <pre class="full-message">{details.message}</pre>
          <Missing t={t} count={details.missing} />
        </>
      )}
      {details.changed && <ChangedFiles explorer={explorer} span={details.changed} />}
      <Fields fields={fieldsOf({ explorer, details })} />
      {details.data && !details.problem && (
        <>
          <h2>{t('Data')}</h2>
          <JsonTree explorer={explorer} root={details.data} />
        </>
      )}
      {details.hasRaw && <Raw explorer={explorer} />}
    </div>
  );
}

function fieldsOf({ explorer, details }: Props): readonly (readonly [string, string])[] {
  const { t, number } = explorer.view;
  return [
    [t('Time'), details.time],
    [t('Written at'), details.ownTime],
    [t('Session'), details.session],
    [t('Logger'), details.problem ? '' : details.logger],
    [t('Record'), number(details.seq)],
  ];
}

/** The raw line, loaded on demand. */
function Raw({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { t } = explorer.view;
  const { record } = explorer.log;
  const raw = record.texts.get('raw');
  return (
    <>
      <h2>{t('Raw line')}</h2>
      {raw ? (
        <RawText t={t} title={t('Raw line')} {...raw} />
      ) : (
        <button type="button" class="link" onClick={() => record.loadRaw()}>
          <Icon name="chevronRight" />
          {t('Show raw line')}
        </button>
      )}
    </>
  );
}
