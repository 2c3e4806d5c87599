import type { DiagnosisData } from '../../src/diagnosis/diagnosis';
import type { RunLog } from '../../src/runLog/runLog';
import type { LogRecord } from '../../src/text/record';
import { outcomeText } from '../../src/timeline/outline';
import type { Span } from '../../src/timeline/span';
import { partsByTurn, summarizeTurn } from '../../src/timeline/turnSummary';
import { waterfall } from '../../src/timeline/waterfall';
import { hasFailed } from '../../src/work/outcome';

/** How the outcome of a turn in a session's row may be shown in Turns, if not as the same. */
const shownAs: Readonly<Record<string, readonly (string | undefined)[]>> = {
  refused: ['error', 'refused'],
  stopped: ['unanswered'],
};
/** Words for the end of a tool call in its record: `npm test (failed, exit 3)`. */
const wordOf: Readonly<Record<string, string>> = {
  completed: 'ok',
  failed: 'error',
  refused: 'refused',
  cancelled: 'cancelled',
};
/** Diagnoses after which a turn can't be shown as a success. */
const fatal = new Set(['failed-turn', 'authentication-required', 'missing-executable', 'empty-turn', 'turn-cut-short']);
/** A problem of many calls names the first ones. */
const maxEvidence = 10;

/** What Turns, Problems, the records, the session's row and the report say differently about the same piece of work. */
export function contradictionsIn(log: RunLog): string[] {
  const spans = log.spans();
  const problems = log.store.query({ kinds: ['diagnosis'] });
  const tools = spans.filter(({ kind }) => kind === 'tool');
  const ends = log.store.query().filter(({ logger }) => logger === 'tool');
  return [
    ...problems.flatMap((problem) => withoutTool(problem, tools)),
    ...tools.flatMap((tool) => [...withoutProblem(tool, problems), ...otherRecord(tool, ends)]),
    ...spans
      .filter(({ kind }) => kind === 'turn')
      .flatMap((turn) => [...hiddenFailure(turn, problems), ...otherReport(turn, spans)]),
    ...log.sessions.flatMap(({ id, summary }) =>
      otherRow(
        spans.filter(({ sessionId }) => sessionId === id),
        summary?.lastTurn,
      ),
    ),
  ];
}

/** A tool failed in Problems, and not in Turns. */
function withoutTool(problem: LogRecord, tools: readonly Span[]): string[] {
  if (problem.logger !== 'tool-failed' || problem.level === 'notice') return [];
  const found = tools.some((tool) => tool.outcome === 'error' && isAbout(problem, tool));
  return found ? [] : [`Problems: ${problem.message} Turns: ${tools.map(spanText).join('; ')}`];
}

/** A tool failed in Turns, and not in Problems. */
function withoutProblem(tool: Span, problems: readonly LogRecord[]): string[] {
  const about = problems.filter((problem) => isAbout(problem, tool, tool.outcome === 'error'));
  const isMissing = tool.outcome === 'error' && about.length === 0;
  const isHidden =
    tool.outcome === 'ok' && about.some(({ logger, level }) => logger === 'tool-failed' && level !== 'notice');
  return isMissing || isHidden
    ? [`Turns: ${spanText(tool)}. Problems: ${about.map(({ message }) => message).join('; ')}`]
    : [];
}

/** The record of its end has another outcome. */
function otherRecord(tool: Span, ends: readonly LogRecord[]): string[] {
  if (tool.endedAt === undefined || tool.outcome === 'unanswered') return [];
  const own = ends
    .filter(({ seq }) => seq >= tool.firstSeq && seq <= tool.lastSeq)
    .filter(({ message }) => message.includes(tool.title.slice(0, 20)));
  const [, word] =
    / \((completed|failed|refused|cancelled)(?:, [^()]*)?\)(?:: |$)/.exec(own.at(-1)?.message ?? '') ?? [];
  return word === undefined || wordOf[word] === tool.outcome
    ? []
    : [`Turns: ${spanText(tool)}. Record: ${own.at(-1)?.message ?? ''}`];
}

/** A turn is a success in Turns, and failed in Problems. */
function hiddenFailure(turn: Span, problems: readonly LogRecord[]): string[] {
  const wrong = problems.filter(
    ({ logger = '', level, sessionId, receivedAt }) =>
      fatal.has(logger) && level !== 'notice' && sessionId === turn.sessionId && receivedAt === turn.endedAt,
  );
  return turn.outcome === 'ok' && wrong.length > 0
    ? [`Turns: ${spanText(turn)}. Problems: ${wrong[0]?.message ?? ''}`]
    : [];
}

/** The report has other outcomes or counts. */
function otherReport(turn: Span, spans: readonly Span[]): string[] {
  const parts = partsByTurn(spans).get(turn.id) ?? [];
  const failed = parts.filter(({ kind, outcome }) => kind === 'tool' && hasFailed({ outcome })).length;
  const now = turn.startedAt;
  const report = waterfall([turn, ...parts], now);
  const isSame = report.startsWith(outcomeText(turn)) && summarizeTurn(turn, parts, now).failed === failed;
  return isSame ? [] : [`Turns: ${spanText(turn)}. Report: ${report}`];
}

/** The row of the session has another outcome for its last turn. */
function otherRow(
  spans: readonly Span[],
  last: { readonly outcome: string; readonly at: number } | undefined,
): string[] {
  const turn = spans.findLast(({ kind, endedAt }) => kind === 'turn' && endedAt === last?.at);
  if (!last || !turn) return [];
  return (shownAs[last.outcome] ?? [last.outcome]).includes(turn.outcome)
    ? []
    : [`Turns: ${spanText(turn)}. Row: ${last.outcome}`];
}

/** @param byName whether the name of the tool is enough: another call may have the same */
function isAbout({ seq, data, sessionId, message }: LogRecord, tool: Span, byName = true): boolean {
  const { evidence = [] } = data as Partial<DiagnosisData>;
  const isOneOfMany = byName && evidence.length === maxEvidence && tool.lastSeq > Math.max(...evidence);
  if (isOneOfMany && tool.lastSeq < seq) return true;
  const isNamed = byName && message.includes(`\`${tool.title.slice(tool.title.indexOf(': ') + 1).trim()}\``);
  return (evidence.includes(tool.lastSeq) || isNamed) && (sessionId === undefined || sessionId === tool.sessionId);
}

function spanText(span: Span): string {
  return `"${span.title}" ${outcomeText(span)}, records ${span.firstSeq} to ${span.lastSeq}`;
}
