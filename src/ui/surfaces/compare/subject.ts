import * as vscode from 'vscode';
import { sessionLabel, shortId } from '../../../text/sessionLabel';
import { shownLine, shownText } from '../../../text/text';
import { comparedSpans } from '../../../runs/comparedSpans';
import { activeUntil } from '../../../past/files/fileRuns';
import type { RunView } from '../../../runLog/runView';
import type { ComparedSide } from '../../../timeline/comparison';
import type { Span } from '../../../timeline/span';
import { workKinds } from '../../../timeline/span';
import { originOf } from '../tree/runText';
import { shownDate } from '../../kit/translate';

/** A run, one of its sessions, or a turn, to be compared. */
export interface Subject {
  readonly run: RunView;
  readonly sessionId?: string | undefined;
  /** The turn's span. */
  readonly turn?: string | undefined;
}

/** A subject in the URI of a document. */
export interface SubjectKey {
  readonly run: string;
  /** The end of the ID only, because URIs are stored and logged. */
  readonly session?: string | undefined;
  readonly turn?: string | undefined;
}

const maxTitle = 200;

export function keyOf({ run, sessionId, turn }: Subject): SubjectKey {
  return {
    run: run.id,
    ...(sessionId !== undefined && { session: shortId(sessionId) }),
    ...(turn !== undefined && { turn }),
  };
}

/** Names for the title of an editor: with agent and time if they would be the same. */
export function namesOf(...subjects: readonly [Subject, Subject]): readonly string[] {
  const names = subjects.map(nameOf);
  if (names[0] !== names[1]) return names;
  return subjects.map((subject) => `${nameOf(subject)} (${originOfSubject(subject)})`);
}

function originOfSubject({ run, sessionId, turn }: Subject): string {
  const part =
    turn === undefined ? (sessionId === undefined ? undefined : run.log.find(sessionId)) : run.log.span(turn);
  return originOf(run, Date.now(), part?.startedAt);
}

export function nameOf({ run, sessionId, turn }: Subject): string {
  const span = turn === undefined ? undefined : run.log.span(turn);
  return shownText(shownLine(span?.title ?? (sessionId === undefined ? run.name : labelOf(run, sessionId)), 40));
}

/** What to compare; `undefined` if it is no longer in memory. */
export async function sideOf(run: RunView, { session, turn }: SubjectKey): Promise<ComparedSide | undefined> {
  const { log } = run;
  const group = session === undefined ? log.connection : log.sessions.find(({ id }) => shortId(id) === session);
  const all = log.spans({ kinds: workKinds });
  const span = all.find(({ id }) => id === turn);
  if (!group || (turn !== undefined && !span)) return undefined;
  const isWanted = ({ id, sessionId }: Span): boolean =>
    turn !== undefined ? id === turn : session === undefined || sessionId === group.id;
  const sessionId = span?.sessionId ?? group.id;
  const at = span?.startedAt ?? (group.id === undefined ? run.startedAt : group.startedAt);
  const head = [
    ...(span ? [shownText(shownLine(span.title, maxTitle))] : []),
    ...(sessionId === undefined ? [] : [labelOf(run, sessionId)]),
    `${shownText(shownLine(run.name, maxTitle))} · ${shownDate(at)}`,
  ];
  return { head, spans: await comparedSpans(run, isWanted), now: activeUntil(run), isTurn: turn !== undefined };
}

function labelOf({ log }: RunView, sessionId: string): string {
  const label = sessionLabel(sessionId, log.find(sessionId)?.title);
  return vscode.l10n.t('Session {0}', shownText(label));
}
