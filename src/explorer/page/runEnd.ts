import type { Termination } from '../../wire/termination';
import { isFailedEnd, lastStderr, shortEnd } from '../../wire/termination';
import { shownLine, shownText, withoutMarks } from '../../text/text';
import type { Translator } from '../../text/translator';
import { translated } from '../../text/translator';
import type { ProblemButton, RunEnd } from './messages';

const maxCause = 300;
const maxStderr = 4000;

/** How a run ended, as a card above its log. */
export function runEnd(termination: Termination, buttons: readonly ProblemButton[], l10n: Translator): RunEnd {
  const { advice } = termination.cause ?? {};
  const isFailure = isFailedEnd(termination);
  const title = shownText(titleOf(termination, l10n));
  const stderr = isFailure ? shownText(lastStderr(termination).trimEnd().slice(-maxStderr)) : '';
  return {
    title,
    isFailure,
    advice: advice ? shownText(shownLine(withoutMarks(translated(advice, l10n)), maxCause)) : '',
    stderr: title.includes(stderr) ? '' : stderr, // a single line
    buttons,
  };
}

function titleOf(termination: Termination, l10n: Translator): string {
  const { terminatedBy, reason, cause: { what, by } = {} } = termination;
  if (terminatedBy === 'client' && reason !== 'error') return l10n.t('Ended: stopped');
  const end = shownLine(withoutMarks(translated(shortEnd(termination), l10n)), maxCause);
  if (!what) return l10n.t('Ended: {0}', end);
  const why = shownLine(withoutMarks(translated(what, l10n)), maxCause);
  return by === undefined ? l10n.t('Ended: {0}, because {1}', end, why) : l10n.t('Ended: {0}, because “{1}”', end, why);
}
