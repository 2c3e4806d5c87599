import * as vscode from 'vscode';
import { askedFor, describeActivity } from '../../../diagnosis/sessionSummary';
import type { FailedState } from '../../../past/saved/now/sessionState';
import type { KnownSession, SessionNow } from '../../../past/saved/now/stateChanges';
import type { AnySession } from '../../../runs/joinedSessions';
import { isLiveSession } from '../../../runs/liveSession';
import { sessionLabel } from '../../../text/sessionLabel';
import { shownLine, withoutMarks } from '../../../text/text';
import { clickTarget } from '../../kit/commandTarget';
import { l10n, shownDuration, translate } from '../../kit/translate';
import { commandIds } from '../../manifest/commands';
import type { BuiltInCommand } from '../settings/openSettingCommand';

/** What a session does or waits for, or how it ended: the most important word first. @param maxWhy of the cause, in characters */
export function describeNow({ state }: Pick<SessionNow, 'state'>, now: number, maxWhy = 80): string {
  switch (state.type) {
    case 'working':
    case 'waiting':
      return describeActivity({ activity: state.doing }, now, l10n);
    case 'failed':
      return describeFailed(state, maxWhy);
    case 'done':
      return vscode.l10n.t('done');
    case 'idle':
      return vscode.l10n.t('idle');
  }
}

/** `overloaded · failed`: why, if that is known. */
export function describeFailed({ why, cause }: FailedState, maxWhy = 80): string {
  const known = cause ?? why;
  const shown = known === undefined ? [] : [shownLine(withoutMarks(translate(known)), maxWhy)];
  return [...shown, vscode.l10n.t('failed')].join(' · ');
}

/** The same for a row, which has room for less: since when comes before whom. */
export function describeInRow({ state }: Pick<SessionNow, 'state'>, now: number): string {
  if (state.type !== 'waiting') return describeNow({ state }, now);
  const { asking, subject, since } = state.doing;
  const thing = translate(askedFor(asking, subject));
  const seconds = Math.floor((now - since) / 1000);
  if (seconds < 1) return vscode.l10n.t('waiting: {0}', thing);
  return vscode.l10n.t('waiting {0}: {1}', shownDuration(seconds * 1000), thing);
}

/** The agent and the session: `Claude Code (Sort the list)`. */
export function nameOfNow({ session, agentName }: SessionNow<KnownSession>): string {
  return `${agentName} (${shownLine(sessionLabel(session.id, session.title), 60)})`;
}

/** Opens a session: the log of its run, or its file. */
export function openNow({ session }: SessionNow<AnySession>): BuiltInCommand {
  if (isLiveSession(session)) {
    return { command: commandIds.openExplorer, arguments: [clickTarget(session.run, session.id)] };
  }
  return { command: commandIds.openSavedSession, arguments: [{ agent: session.agent, sessionId: session.id }] };
}
