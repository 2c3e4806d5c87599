import * as vscode from 'vscode';
import { shortId } from '../../../log/sessionLabel';
import { oneLine, shownText } from '../../../log/text';
import { statusOf, toolOf } from '../../../runs/explorer/turns/turnQuery';
import type { RunLog } from '../../../runs/runLog';
import type { Span } from '../../../timeline/span';
import { costJumps, jumpText } from '../../../timeline/costJumps';
import { partsByTurn, summarizeTurn, timesText } from '../../../timeline/turnSummary';
import { usageDetails, usageText } from '../../../timeline/usageText';
import type { SpanRow } from '../messages';
import { sessionName } from '../rows';

const maxText = 300;

/** Spans of a run for its page. */
export function spanRows(spans: readonly Span[], log: RunLog, now: number): readonly SpanRow[] {
  const parts = partsByTurn(spans);
  const jumps = costJumps(spans, parts);
  const jumpOf = ({ id }: Span): string => {
    const jump = jumps.get(id);
    return jump ? shownText(jumpText(jump, vscode.l10n)) : '';
  };
  return spans.map((span) => ({
    id: span.id,
    parent: span.parent ?? '',
    session: sessionOf(span, log),
    sessionKey: span.sessionId === undefined ? '' : shortId(span.sessionId),
    kind: span.kind,
    tool: toolOf(span) ?? '',
    title: shownText(oneLine(span.title, maxText)),
    start: span.startedAt,
    end: span.endedAt ?? -1,
    outcome: statusOf(span),
    detail: shownText(oneLine(span.detail ?? '', maxText)),
    firstSeq: span.firstSeq,
    lastSeq: span.lastSeq,
    tokens: span.usage ? usageText(span.usage, vscode.l10n) : '',
    usage: span.usage ? usageDetails(span.usage, vscode.l10n) : '',
    jump: jumpOf(span),
    summary: span.kind === 'turn' ? timesText(summarizeTurn(span, parts.get(span.id) ?? [], now), vscode.l10n) : '',
  }));
}

function sessionOf({ sessionId }: Span, log: RunLog): string {
  if (sessionId === undefined) return vscode.l10n.t('Connection');
  return shownText(sessionName(log, sessionId));
}
