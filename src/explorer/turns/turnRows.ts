import { sentence } from '../../diagnosis/diagnosisText';
import { rankOf } from '../../text/level';
import { shortId } from '../../text/sessionLabel';
import { shownLine, shownText, withoutMarks } from '../../text/text';
import { spanProblems } from './spanProblems';
import { statusOf, tokensOf, toolOf } from './turnQuery';
import type { ExplorerLog, ExplorerRun } from '../../runLog/explorerRun';
import type { RunProblem } from '../../runLog/runProblems';
import type { Span } from '../../timeline/span';
import { changedRows } from './changedRows';
import { costJumps, jumpText } from '../../timeline/costJumps';
import { partsByTurn, summarizeTurn, timesText } from '../../timeline/turnSummary';
import { usageDetails, usageText } from '../../timeline/usageText';
import { readable } from '../../work/failures/errorText';
import type { Translator } from '../../text/translator';
import { translated } from '../../text/translator';
import { problemText } from '../../diagnosis/problemText';
import { sessionName } from '../page/rows';
import type { FarEnd } from '../../runLog/joins/joinedRun';
import { isServer } from '../../runLog/joins/joinedRun';
import type { ShownSpan } from './lanes';
import type { FarRun, SpanProblem, SpanRow } from './turnMessages';

const maxText = 300;
const maxName = 80;

/** Spans of a run for its page. */
export function spanRows(
  shown: readonly ShownSpan[],
  { log, protocol }: Pick<ExplorerRun, 'log' | 'protocol'>,
  now: number,
  l10n: Translator,
  ends: ReadonlyMap<string, readonly FarEnd[]> = new Map(),
): readonly SpanRow[] {
  const spans = shown.filter(({ lane }) => lane === undefined);
  const parts = partsByTurn(spans);
  const jumps = costJumps(spans, parts);
  const jumpOf = ({ id }: Span): string => {
    const jump = jumps.get(id);
    return jump ? shownText(jumpText(jump, l10n)) : '';
  };
  const problems = spanProblems(spans, log.problems.all);
  return shown.map((span) => {
    const far = farOf(span, ends);
    const problem = problems.get(span.id);
    return {
      id: span.id,
      parent: span.parent ?? '',
      session: sessionOf(span, log, l10n),
      sessionKey: span.sessionId === undefined ? '' : shortId(span.sessionId),
      kind: span.kind,
      tool: toolOf(span) ?? '',
      title: shownText(shownLine(span.title, maxText)),
      start: span.startedAt,
      end: span.endedAt ?? -1,
      outcome: statusOf(span),
      detail: shownText(shownLine(readable(span.detail ?? ''), maxText)),
      ...(problem && { problem: problemOf(problem, { log, protocol }, l10n) }),
      firstSeq: span.firstSeq,
      lastSeq: Math.max(span.lastSeq, problem?.seq ?? 0),
      tokens: span.usage ? usageText(span.usage, l10n) : '',
      used: tokensOf(span),
      usage: span.usage ? usageDetails(span.usage, l10n) : '',
      jump: jumpOf(span),
      ...(span.lane && { lane: span.lane.kind }),
      ...(far && { far }),
      ...changedRows(spansOf(span, parts), l10n),
      summary: span.kind === 'turn' ? timesText(summarizeTurn(span, parts.get(span.id) ?? [], now), l10n) : '',
    };
  });
}

/** A turn, and what is in it. */
function spansOf(span: Span, parts: ReadonlyMap<string, readonly Span[]>): readonly Span[] {
  return [span, ...(parts.get(span.id) ?? [])];
}

/** Of retries, the last one. */
function farOf({ id, lane }: ShownSpan, ends: ReadonlyMap<string, readonly FarEnd[]>): FarRun | undefined {
  const end = lane ?? ends.get(id)?.at(-1);
  if (!end) return undefined;
  const { run, by } = end;
  return { name: shownText(shownLine(run.name, maxName)), isServer: isServer(run), isInferred: by === 'inferred' };
}

function problemOf(
  { seq, level, code = '' }: RunProblem,
  { log, protocol }: Pick<ExplorerRun, 'log' | 'protocol'>,
  l10n: Translator,
): SpanProblem {
  const { title } = problemText(code, protocol) ?? {};
  const { words, message = '' } = log.store.get(seq) ?? {};
  const what = words ? sentence(withoutMarks(translated(words.what, l10n))) : message;
  return {
    seq,
    level: rankOf(level),
    title: title ? translated(title, l10n) : code,
    what: shownText(shownLine(what, maxText)),
  };
}

function sessionOf({ sessionId }: Span, log: ExplorerLog, l10n: Translator): string {
  if (sessionId === undefined) return l10n.t('Connection');
  return shownText(sessionName(log, sessionId));
}
