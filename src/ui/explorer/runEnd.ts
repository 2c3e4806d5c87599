import * as vscode from 'vscode';
import type { Termination } from '../../log/termination';
import { isCrash, lastStderr, shortEnd } from '../../log/termination';
import { oneLine, shownText, withoutMarks } from '../../log/text';
import { translate } from '../translate';
import type { ProblemButton, RunEnd } from './messages';

const maxCause = 300;
const maxStderr = 4000;

/** How a run ended, as a card above its log. */
export function runEnd(termination: Termination, buttons: readonly ProblemButton[]): RunEnd {
  const { advice } = termination.cause ?? {};
  const isFailure = isCrash(termination) || termination.reason === 'error';
  const title = shownText(titleOf(termination));
  const stderr = isFailure ? shownText(lastStderr(termination).trimEnd().slice(-maxStderr)) : '';
  return {
    title,
    isFailure,
    advice: advice ? shownText(oneLine(withoutMarks(translate(advice)), maxCause)) : '',
    stderr: title.includes(stderr) ? '' : stderr, // a single line
    buttons,
  };
}

function titleOf(termination: Termination): string {
  const { terminatedBy, reason, cause: { what, by } = {} } = termination;
  if (terminatedBy === 'client' && reason !== 'error') return vscode.l10n.t('Ended: stopped');
  const end = oneLine(withoutMarks(translate(shortEnd(termination))), maxCause);
  if (!what) return vscode.l10n.t('Ended: {0}', end);
  const why = oneLine(withoutMarks(translate(what)), maxCause);
  return by === undefined
    ? vscode.l10n.t('Ended: {0}, because {1}', end, why)
    : vscode.l10n.t('Ended: {0}, because “{1}”', end, why);
}
