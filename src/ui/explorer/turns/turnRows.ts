import * as vscode from 'vscode';
import { shortId } from '../../../log/sessionLabel';
import { duration, oneLine, shownText } from '../../../log/text';
import type { Usage } from '../../../protocols/activity/activity';
import type { RunView } from '../../../runs/runView';
import type { Span, SpanKind } from '../../../timeline/span';
import type { TurnSummary } from '../../../timeline/turnSummary';
import { partsByRoot, summarizeTurn } from '../../../timeline/turnSummary';
import type { SpanRow } from '../messages';

const maxText = 300;
const maxTool = 100;
/** Requests belong to the wire. */
const kinds: readonly SpanKind[] = ['turn', 'tool', 'permission', 'subagent', 'compaction'];

/** The spans of a run for its page, oldest first. */
export function spanRows({ log }: RunView, now: number): readonly SpanRow[] {
  const spans = log.spans({ kinds });
  const parts = partsByRoot(spans);
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
    tokens: span.usage ? usageText(span.usage) : '',
    summary: span.kind === 'turn' ? summaryText(summarizeTurn(span, parts.get(span.id) ?? [], now)) : '',
  }));
}

function sessionOf({ sessionId }: Span, log: RunView['log']): string {
  if (sessionId === undefined) return vscode.l10n.t('Connection');
  return shownText(oneLine(log.find(sessionId)?.title ?? shortId(sessionId), 80));
}

/** `42 s: model 31 s (2 retries), tools 9 s, waited for you 2 s · 3 tool calls, 1 failed · 12.3k in, 1.1k out` */
function summaryText({ took, model, tools, waited, retries, calls, failed, usage }: TurnSummary): string {
  const times = [withRetries(vscode.l10n.t('model {0}', duration(model)), retries)];
  if (tools > 0) times.push(vscode.l10n.t('tools {0}', duration(tools)));
  if (waited > 0) times.push(vscode.l10n.t('waited for you {0}', duration(waited)));
  const parts = [`${duration(took)}: ${times.join(', ')}`];
  if (calls > 0) {
    const called = calls === 1 ? vscode.l10n.t('1 tool call') : vscode.l10n.t('{0} tool calls', calls);
    parts.push(failed === 0 ? called : vscode.l10n.t('{0}, {1} failed', called, failed));
  }
  const tokens = usage && usageText(usage);
  if (tokens) parts.push(tokens);
  return parts.join(' · ');
}

function withRetries(text: string, retries: number): string {
  if (retries === 0) return text;
  return retries === 1 ? vscode.l10n.t('{0} (1 retry)', text) : vscode.l10n.t('{0} ({1} retries)', text, retries);
}

/** `12.3k in, 1.1k out`, and what is counted if that isn't the turn. */
function usageText({ inputTokens, outputTokens, totalTokens, costUsd, basis }: Usage): string {
  const counts: string[] = [];
  if (inputTokens !== undefined) counts.push(vscode.l10n.t('{0} in', short(inputTokens)));
  if (outputTokens !== undefined) counts.push(vscode.l10n.t('{0} out', short(outputTokens)));
  if (counts.length === 0 && totalTokens !== undefined) counts.push(vscode.l10n.t('{0} tokens', short(totalTokens)));
  if (costUsd !== undefined && costUsd > 0) counts.push(`$${costUsd.toFixed(costUsd < 0.1 ? 4 : 2)}`);
  if (counts.length === 0) return '';
  const text = counts.join(', ');
  if (basis === 'cumulative') return vscode.l10n.t('{0} (session so far)', text);
  return basis === 'unknown' ? vscode.l10n.t('{0} (as reported)', text) : text;
}

function short(count: number): string {
  if (count < 1000) return String(count);
  return count < 999_950 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
