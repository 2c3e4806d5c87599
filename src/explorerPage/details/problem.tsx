import type { JSX } from 'preact';
import type { EvidenceLink, ProblemDetails, RecordDetails } from '../../ui/explorer/messages';
import type { Explorer } from '../explorer';
import { Icon } from '../icons';
import { clock, fill, levelLetters } from '../text';

/** A problem: what happened, why, what to do, and its evidence. */
export function Problem(props: {
  readonly explorer: Explorer;
  readonly details: RecordDetails;
  readonly problem: ProblemDetails;
}): JSX.Element {
  const { explorer, details, problem } = props;
  const { strings } = explorer.view;
  const { count, since } = problem;
  return (
    <article class={`problem rank-${details.level}`}>
      <h1>
        <Icon name={details.level >= 4 ? 'error' : details.level === 3 ? 'warning' : 'info'} />
        {problem.title}
      </h1>
      <h2>{strings.what}</h2>
      <p class="what">{problem.what}</p>
      {count > 1 && (
        <p class="quiet">{fill(strings.occurrences, count.toLocaleString(strings.locale), clock(since))}</p>
      )}
      <h2>{strings.why}</h2>
      <p>{problem.why}</p>
      <h2>{strings.advice}</h2>
      <p>{problem.advice === '' ? strings.noAdvice : problem.advice}</p>
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
      <Records title={strings.evidence} records={problem.evidence} explorer={explorer} />
      <Records title={strings.before} records={problem.before} explorer={explorer} />
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
  const { strings } = explorer.view;
  if (records.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      <ul class="evidence">
        {records.map(({ seq, level, at, message }) => (
          <li key={seq}>
            <button type="button" class={`link level-${level}`} onClick={() => explorer.cursor.reveal(seq)}>
              <span class="letter" aria-label={strings.levels[level]}>
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
