import * as vscode from 'vscode';
import { sentence } from '../../../diagnosis/diagnosisText';
import { rankOf } from '../../../log/level';
import { shortId } from '../../../log/sessionLabel';
import { oneLine, shownText, withoutMarks } from '../../../log/text';
import { spanProblems } from '../../../runs/explorer/turns/spanProblems';
import { statusOf, tokensOf, toolOf } from '../../../runs/explorer/turns/turnQuery';
import type { RunLog } from '../../../runs/runLog';
import type { RunProblem } from '../../../runs/runProblems';
import type { Span } from '../../../timeline/span';
import { costJumps, jumpText } from '../../../timeline/costJumps';
import { partsByTurn, summarizeTurn, timesText } from '../../../timeline/turnSummary';
import { usageDetails, usageText } from '../../../timeline/usageText';
import { readable } from '../../../work/failures/errorText';
import { l10n, translate } from '../../translate';
import { problemTexts } from '../problemText';
import { sessionName } from '../rows';
import type { SpanProblem, SpanRow } from './turnMessages';

const maxText = 300;

/** Spans of a run for its page. */
export function spanRows(spans: readonly Span[], log: RunLog, now: number): readonly SpanRow[] {
  const parts = partsByTurn(spans);
  const jumps = costJumps(spans, parts);
  const jumpOf = ({ id }: Span): string => {
    const jump = jumps.get(id);
    return jump ? shownText(jumpText(jump, l10n)) : '';
  };
  const problems = spanProblems(spans, log.problems.all);
  return spans.map((span) => {
    const problem = problems.get(span.id);
    return {
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
      detail: shownText(oneLine(readable(span.detail ?? ''), maxText)),
      ...(problem && { problem: problemOf(problem, log) }),
      firstSeq: span.firstSeq,
      lastSeq: Math.max(span.lastSeq, problem?.seq ?? 0),
      tokens: span.usage ? usageText(span.usage, l10n) : '',
      used: tokensOf(span),
      usage: span.usage ? usageDetails(span.usage, l10n) : '',
      jump: jumpOf(span),
      summary: span.kind === 'turn' ? timesText(summarizeTurn(span, parts.get(span.id) ?? [], now), l10n) : '',
    };
  });
}

function problemOf({ seq, level, code = '' }: RunProblem, { store }: RunLog): SpanProblem {
  const { words, message = '' } = store.get(seq) ?? {};
  const what = words ? sentence(withoutMarks(translate(words.what))) : message;
  return {
    seq,
    level: rankOf(level),
    title: problemTexts[code]?.title ?? code,
    what: shownText(oneLine(what, maxText)),
  };
}

function sessionOf({ sessionId }: Span, log: RunLog): string {
  if (sessionId === undefined) return vscode.l10n.t('Connection');
  return shownText(sessionName(log, sessionId));
}
