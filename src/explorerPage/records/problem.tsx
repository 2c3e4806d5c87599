import type { JSX } from 'preact';
import { levels, severityOf } from '../../text/level';
import type { ProblemDetails, RecordDetails } from '../../explorer/page/messages';
import type { EvidenceLink } from '../../explorer/record/evidenceLink';
import type { Explorer } from '../explorer';
import { Icon } from '../kit/icons';
import { clock, levelLetters } from '../kit/text';

/** A problem: what happened, why, what to do, and its evidence. */
export function Problem(props: {
  readonly explorer: Explorer;
  readonly details: RecordDetails;
  readonly problem: ProblemDetails;
}): JSX.Element {
  const { explorer, details, problem } = props;
  const { t } = explorer.view;
  const { count, since } = problem;
  return (
    <article class={`problem rank-${details.level}`}>
      <h1>
        <Icon name={severityOf(levels[details.level] ?? 'info')} />
        {problem.title}
      </h1>
      <h2>{t('What happened')}</h2>
      <p class="what">{problem.what}</p>
      {count > 1 && <p class="quiet">{t('{0} times since {1}', count, clock(since))}</p>}
      <Records title={t('Settled')} records={problem.settledBy} explorer={explorer} />
      <h2>{t('Why')}</h2>
      <p>{problem.why}</p>
      {problem.advice !== '' && (
        <>
          <h2>{t('What to do')}</h2>
          <p>{problem.advice}</p>
        </>
      )}
      {problem.buttons.length > 0 && (
        <p class="buttons">
          {problem.buttons.map(({ action, label }, index) => (
            <button
              type="button"
              key={action}
              class={index === 0 ? 'primary' : 'secondary'}
              onClick={() => explorer.act(action, details.seq)}
            >
              {label}
            </button>
          ))}
        </p>
      )}
      <Records title={t('Evidence')} records={problem.evidence} explorer={explorer} />
      <Records title={t('Last change before it')} records={problem.change} explorer={explorer} />
      <Records title={t('Warnings and errors before it')} records={problem.before} explorer={explorer} />
    </article>
  );
}

/** Links to records under a heading; nothing if there are none. */
function Records(props: {
  readonly title: string;
  readonly records: readonly EvidenceLink[];
  readonly explorer: Explorer;
}): JSX.Element | null {
  const { title, records, explorer } = props;
  if (records.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      <ul class="evidence">
        {records.map(({ seq, level, at, message }) => (
          <li key={seq}>
            <button type="button" class={`link level-${level}`} onClick={() => explorer.log.list.reveal(seq)}>
              <span class="letter" aria-label={levels[level]}>
                {levelLetters[level]}
              </span>
              <span class="quiet">{clock(at)}</span>
              <span class="text">{message}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
