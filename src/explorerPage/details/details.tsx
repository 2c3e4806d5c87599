import type { JSX } from 'preact';
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
  const { strings, details, isGone } = explorer.view;
  const close = (): void => {
    explorer.detailsPane.close();
    explorer.focusList();
  };
  return (
    <section class="details" role="region" aria-label={strings.details} tabIndex={0} onKeyDown={onEscape(close)}>
      <div class="details-bar">
        {details && <Actions explorer={explorer} details={details} />}
        <span class="space" />
        <IconButton icon="close" label={strings.closeDetails} onPress={close} />
      </div>
      {isGone && <p class="empty">{strings.gone}</p>}
      {details && <Content explorer={explorer} details={details} />}
    </section>
  );
}

interface Props {
  readonly explorer: Explorer;
  readonly details: RecordDetails;
}

function Actions({ explorer, details: { seq, hasJournal } }: Props): JSX.Element {
  const { strings } = explorer.view;
  const action = (icon: IconName, label: string, name: Parameters<Explorer['act']>[0]): JSX.Element => (
    <IconButton icon={icon} label={label} onPress={() => explorer.act(name, seq)} />
  );
  return (
    <div class="actions" role="group" aria-label={strings.actions}>
      {action('copy', strings.copyMessage, 'copyMessage')}
      {action('json', strings.copyJson, 'copyJson')}
      {action('markdown', strings.openAsText, 'openAsText')}
      {action('listTree', strings.revealInTree, 'revealInTree')}
      {action('output', strings.showOutput, 'showOutput')}
      {hasJournal && action('goToFile', strings.journalLine, 'openJournal')}
      {explorer.view.q !== '' && (
        <IconButton icon="unfold" label={strings.showContext} onPress={() => explorer.cursor.toggleContext()} />
      )}
      <IconButton
        icon="bookmark"
        label={strings.bookmark}
        isPressed={explorer.view.marks.has(seq)}
        onPress={() => explorer.cursor.toggleMark()}
      />
    </div>
  );
}

function Content({ explorer, details }: Props): JSX.Element {
  const { strings } = explorer.view;
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
            <span>{strings.levels[details.level]}</span>
            <span class="quiet">{strings.kinds[details.kind]}</span>
          </p>
          <pre class="full-message">{details.message}</pre>
          <Missing strings={strings} count={details.missing} />
        </>
      )}
      <Fields explorer={explorer} details={details} />
      {details.data && !details.problem && (
        <>
          <h2>{strings.data}</h2>
          <JsonTree explorer={explorer} root={details.data} />
        </>
      )}
      {details.hasRaw && <Raw explorer={explorer} />}
    </div>
  );
}

function Fields({ explorer, details }: Props): JSX.Element {
  const { strings } = explorer.view;
  const fields: readonly (readonly [string, string])[] = [
    [strings.time, details.time],
    [strings.ownTime, details.ownTime],
    [strings.session, details.session],
    [strings.logger, details.problem ? '' : details.logger],
    [strings.record, details.seq.toLocaleString(strings.locale)],
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
  const { strings, texts } = explorer.view;
  const raw = texts.get('raw');
  return (
    <>
      <h2>{strings.rawLine}</h2>
      {raw ? (
        <RawText strings={strings} title={strings.rawLine} {...raw} />
      ) : (
        <button type="button" class="link" onClick={() => explorer.detailsPane.loadRaw()}>
          <Icon name="chevronRight" />
          {strings.showRaw}
        </button>
      )}
    </>
  );
}
