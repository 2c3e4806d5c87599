import * as vscode from 'vscode';
import { shortId } from '../../../log/sessionLabel';
import { oneLine, shownText } from '../../../log/text';
import type { RunView } from '../../../runs/runView';
import type { Span } from '../../../timeline/span';
import { workKinds } from '../../../timeline/span';
import { partsByTurn, summarizeTurn, summaryText, usageText } from '../../../timeline/turnSummary';
import type { SpanRow } from '../messages';

const maxText = 300;
const maxTool = 100;

/** The spans of a run for its page, oldest first. */
export function spanRows({ log }: RunView, now: number): readonly SpanRow[] {
  const spans = log.spans({ kinds: workKinds });
  const parts = partsByTurn(spans);
  return spans.map((span) => ({
    id: span.id,
    parent: span.parent ?? '',
    session: sessionOf(span, log),
    sessionKey: span.sessionId === undefined ? '' : shortId(span.sessionId),
    kind: span.kind,
    tool: span.kind === 'tool' ? shownText(oneLine(span.toolName ?? span.title, maxTool)) : '',
    title: shownText(oneLine(span.title, maxText)),
    start: span.startedAt,
    end: span.endedAt ?? -1,
    outcome: span.endedAt === undefined ? 'open' : (span.outcome ?? 'ok'),
    detail: shownText(oneLine(span.detail ?? '', maxText)),
    firstSeq: span.firstSeq,
    lastSeq: span.lastSeq,
    tokens: span.usage ? usageText(span.usage, vscode.l10n) : '',
    tokenCount: tokenCount(span),
    summary: span.kind === 'turn' ? summaryText(summarizeTurn(span, parts.get(span.id) ?? [], now), vscode.l10n) : '',
  }));
}

function sessionOf({ sessionId }: Span, log: RunView['log']): string {
  if (sessionId === undefined) return vscode.l10n.t('Connection');
  return shownText(oneLine(log.find(sessionId)?.title ?? shortId(sessionId), 80));
}

function tokenCount({ usage }: Span): number {
  const { inputTokens, outputTokens, totalTokens } = usage ?? {};
  return (
    totalTokens ??
    (inputTokens === undefined && outputTokens === undefined ? -1 : (inputTokens ?? 0) + (outputTokens ?? 0))
  );
}
