import * as vscode from 'vscode';
import { rankOf } from '../../log/level';
import type { LogRecord } from '../../log/record';
import { sessionLabel } from '../../log/sessionLabel';
import { shownText } from '../../log/text';
import { shownMessage } from '../../diagnosis/diagnosisText';
import type { RunLog } from '../../runs/runLog';
import type { Row } from './messages';
import { maxCell } from './messages';
import { l10n } from '../translate';

const maxName = 100;

/** A row of the grid. */
export function rowOf(record: LogRecord, log: RunLog): Row {
  const { seq, receivedAt: at, level, kind, sessionId, logger = '' } = record;
  const message = oneShownLine(shownMessage(record, l10n), maxCell);
  const isSettled = log.settledBy(seq) !== undefined;
  return {
    seq,
    at,
    level: rankOf(level),
    kind,
    session: sessionName(log, sessionId),
    logger: oneShownLine(logger, maxName),
    message: isSettled ? vscode.l10n.t('Settled: {0}', message) : message,
    isSettled,
  };
}

export function sessionName(log: RunLog, sessionId: string | undefined): string {
  return sessionId === undefined ? '' : sessionLabel(sessionId, log.find(sessionId)?.title);
}

/** At most `max` characters of a text on one line. */
export function oneShownLine(text: string, max: number): string {
  const line = shownText(text.slice(0, max)).replace(/\s+/g, ' ').trim();
  return text.length > max ? `${line}…` : line;
}
