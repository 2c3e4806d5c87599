import type { JSX } from 'preact';
import { levels } from '../../log/level';
import type { RecordDetails } from '../../ui/explorer/messages';
import type { Explorer } from '../explorer';
import type { IconName } from '../icons';
import { Icon, IconButton } from '../icons';
import { onEscape } from '../keys';
import { Missing, RawText } from '../rawText';
import { levelLetters } from '../text';
import { JsonTree } from './jsonTree';
import { Problem } from './problem';

/** One record, or a problem as an explanation. */
export function Details({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { t, details, isGone } = explorer.view;
  const close = (): void => {
    explorer.detailsPane.close();
    explorer.focusList();
  };
  return (
    <section class="details" role="region" aria-label={t('Details')} tabIndex={0} onKeyDown={onEscape(close)}>
      <div class="details-bar">
        {details && <Actions explorer={explorer} details={details} />}
        <span class="space" />
        <IconButton icon="close" label={t('Close')} onPress={close} />
      </div>
      {isGone && <p class="empty">{t('This record is no longer in memory.')}</p>}
      {details && <Content explorer={explorer} details={details} />}
    </section>
  );
}

interface Props {
  readonly explorer: Explorer;
  readonly details: RecordDetails;
}

function Actions({ explorer, details: { seq, hasJournal } }: Props): JSX.Element {
  const { t } = explorer.view;
  const action = (icon: IconName, label: string, name: Parameters<Explorer['act']>[0]): JSX.Element => (
    <IconButton icon={icon} label={label} onPress={() => explorer.act(name, seq)} />
  );
  return (
    <div class="actions" role="group" aria-label={t('Actions')}>
      {action('copy', t('Copy Message'), 'copyMessage')}
      {action('json', t('Copy as JSON'), 'copyJson')}
      {action('markdown', t('Open as Text'), 'openAsText')}
      {action('listTree', t('Reveal in Tree'), 'revealInTree')}
      {action('output', t('Show Output'), 'showOutput')}
      {hasJournal && action('goToFile', t('Open Journal at Line'), 'openJournal')}
      {explorer.view.q !== '' && (
        <IconButton
          icon="unfold"
          label={t('Show the records around this one')}
          onPress={() => explorer.cursor.toggleContext()}
        />
      )}
      <IconButton
        icon="bookmark"
        label={t('Bookmark')}
        isPressed={explorer.view.marks.has(seq)}
        onPress={() => explorer.cursor.toggleMark()}
      />
    </div>
  );
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
      <Fields explorer={explorer} details={details} />
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

function Fields({ explorer, details }: Props): JSX.Element {
  const { t, number } = explorer.view;
  const fields: readonly (readonly [string, string])[] = [
    [t('Time'), details.time],
    [t('Agent’s time'), details.ownTime],
    [t('Session'), details.session],
    [t('Logger'), details.problem ? '' : details.logger],
    [t('Record'), number(details.seq)],
  ];
  return (
    <dl class="fields">
      {fields
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** The raw line, loaded on demand. */
function Raw({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  const { t, texts } = explorer.view;
  const raw = texts.get('raw');
  return (
    <>
      <h2>{t('Raw line')}</h2>
      {raw ? (
        <RawText t={t} title={t('Raw line')} {...raw} />
      ) : (
        <button type="button" class="link" onClick={() => explorer.detailsPane.loadRaw()}>
          <Icon name="chevronRight" />
          {t('Show raw line')}
        </button>
      )}
    </>
  );
}
