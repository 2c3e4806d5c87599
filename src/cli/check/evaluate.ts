import { localTime } from '../../text/format';
import type { JsonObject } from '../../text/json';
import { parse } from '../../query/language';
import type { Query } from '../../query/query';
import { parseQuery } from '../../query/parseQuery';
import type { LogRecord } from '../../text/record';
import { shortId } from '../../text/sessionLabel';
import { duration, shownText } from '../../text/text';
import { comparedSpans } from '../../runs/comparedSpans';
import { RegexTooSlow } from '../../store/regexRunner';
import { RegexWorker } from '../../machine/regexWorker';
import { maxRows } from '../../matches/recordResult';
import { queryPage, queryRun } from '../../runs/runQuery';
import { findTurns, statusOf, turnLanguage } from '../../explorer/turns/turnQuery';
import { activeUntil } from '../../past/files/fileRuns';
import { HumanError } from '../../text/humanError';
import type { RunView } from '../../runLog/runView';
import type { ComparedSide } from '../../timeline/comparison';
import { stepDifference } from '../../timeline/comparison';
import { outcomeText, stepText } from '../../timeline/outline';
import type { Span } from '../../timeline/span';
import { endOf, workKinds } from '../../timeline/span';
import { maxSpans } from '../../timeline/spanTable';
import { maxOpen } from '../../work/openSteps';
import { isoTime } from '../../wire/journal/journalLine';
import { TextFormat } from '../tail/recordLines';
import type { Bounds, Expectation } from './expectation';
import { titleOf } from './expectation';

/** Whether a run is as expected. */
export interface Outcome {
  readonly title: string;
  readonly passed: boolean;
  /** `2 records match` */
  readonly found: string;
  /** What shows it if it isn't: the first 20, oldest first. */
  readonly evidence: readonly Evidence[];
}

export interface Evidence {
  /** For people, without line breaks. */
  readonly line: string;
  /** For programs. */
  readonly data: JsonObject;
}

const maxEvidence = 20;
/** How many records are looked at at once. */
const pageSize = maxRows;
const maxStep = 200;

/**
 * Compares a run with an expectation. Texts are redacted as the run's are.
 * @param other the run to compare with
 */
export async function evaluate(
  run: RunView,
  expectation: Expectation,
  other: (name: string) => Promise<RunView>,
): Promise<Outcome> {
  const title = titleOf(expectation);
  try {
    return { title, ...(await outcomeOf(run, expectation, other)) };
  } catch (error) {
    const isTooSlow = error instanceof RegexTooSlow;
    if (!isTooSlow && !(error instanceof HumanError)) throw error;
    return { title, passed: false, found: isTooSlow ? 'its expression is too slow' : error.message, evidence: [] };
  }
}

async function outcomeOf(
  run: RunView,
  expectation: Expectation,
  other: (name: string) => Promise<RunView>,
): Promise<Omit<Outcome, 'title'>> {
  switch (expectation.type) {
    case 'records': {
      const query = parseQuery(expectation.query);
      const { total, records } = await queryPage(run, query, { from: 0, count: maxEvidence });
      return counted('record', total, expectation, () => records.map((record) => ofRecord(record, run)));
    }
    case 'spans': {
      const spans = await spansOf(run, expectation.query);
      const outcome = counted('span', spans.length, expectation, () =>
        spans.slice(0, maxEvidence).map((span) => ofSpan(span, run)),
      );
      const isSure = expectation.max === undefined ? outcome.passed : spans.length > expectation.max;
      return isSure ? outcome : withoutSpans(outcome, [run]);
    }
    case 'noProblems': {
      const query = parseQuery(`kind:diagnosis level:${expectation.level}`);
      const { total, first } = await standingProblems(run, query);
      return counted('problem', total, { max: 0 }, () => first.map((record) => ofRecord(record, run)));
    }
    case 'compare':
      return compared(run, await other(expectation.other));
  }
}

/** Counts the problems that still hold, and takes the first. */
function standingProblems(
  run: RunView,
  query: Query,
): Promise<{ readonly total: number; readonly first: LogRecord[] }> {
  return queryRun(run, query, async (result) => {
    const first: LogRecord[] = [];
    let total = 0;
    for (let at = 0; at < result.state.total; at += pageSize) {
      const rows = await result.rows(at, Math.min(pageSize, result.state.total - at));
      const standing = rows.filter(({ seq }) => run.log.settledBy(seq) === undefined);
      total += standing.length;
      first.push(...standing.slice(0, maxEvidence - first.length));
    }
    return { total, first };
  });
}

/** Fails if spans were dropped: a long run has more than are kept. */
function withoutSpans(outcome: Omit<Outcome, 'title'>, runs: readonly RunView[]): Omit<Outcome, 'title'> {
  const dropped = runs.reduce((sum, { log }) => sum + log.droppedSpans + log.work.forgottenSteps, 0);
  if (dropped === 0) return outcome;
  const limits = `at most ${maxSpans} of a run are kept, and ${maxOpen} that are open`;
  const found = `${outcome.found}, but ${dropped} spans are not known: ${limits}`;
  return { ...outcome, passed: false, found };
}

function counted(
  what: 'record' | 'span' | 'problem',
  total: number,
  { min = 0, max = Infinity }: Bounds,
  evidence: () => readonly Evidence[],
): Omit<Outcome, 'title'> {
  const passed = total >= min && total <= max;
  const found = what === 'problem' ? `${total} problem${total === 1 ? '' : 's'}` : matches(what, total);
  return { passed, found, evidence: passed ? [] : evidence() };
}

function matches(what: string, total: number): string {
  if (total === 0) return `no ${what} matches`;
  return total === 1 ? `1 ${what} matches` : `${total} ${what}s match`;
}

async function spansOf(run: RunView, query: string): Promise<readonly Span[]> {
  const spans = run.log.spans({ kinds: workKinds });
  const regex = new RegexWorker();
  try {
    const titleOfSession = (id: string): string | undefined => run.log.find(id)?.title;
    const setting = { now: activeUntil(run), titleOf: titleOfSession, regex };
    const found = await findTurns(spans, parse(query, turnLanguage), setting);
    return spans.filter((span) => found.has(span));
  } finally {
    regex.dispose();
  }
}

async function compared(run: RunView, other: RunView): Promise<Omit<Outcome, 'title'>> {
  const [own, theirs] = [await sideOf(run), await sideOf(other)];
  if (own.spans.length + theirs.spans.length === 0) {
    return { passed: false, found: 'neither run has a turn', evidence: [] };
  }
  const difference = await stepDifference(own, theirs);
  if (!difference) return withoutSpans({ passed: true, found: 'the steps are the same', evidence: [] }, [run, other]);
  const { step, own: here, other: there } = difference;
  return {
    passed: false,
    found: `step ${step} differs`,
    evidence: [
      {
        line: `this run:  ${here ?? '(no more steps)'}`,
        data: { run: 'this', step, ...(here !== undefined && { text: here }) },
      },
      {
        line: `the other: ${there ?? '(no more steps)'}`,
        data: { run: 'other', step, ...(there !== undefined && { text: there }) },
      },
    ],
  };
}

async function sideOf(run: RunView): Promise<ComparedSide> {
  return { head: [], spans: await comparedSpans(run), now: activeUntil(run), isTurn: false };
}

function ofRecord(record: LogRecord, { log }: RunView): Evidence {
  const { seq, receivedAt, level, kind, sessionId, logger, message } = record;
  const title = sessionId === undefined ? undefined : log.find(sessionId)?.title;
  const { lead, text: shown } = new TextFormat(false).record(record, title);
  const text = lead + shown;
  const [line = ''] = log.store.sessionIds.inText(text, sessionId).split('\n');
  const data: JsonObject = {
    seq,
    time: isoTime(receivedAt),
    level,
    kind,
    ...(sessionId !== undefined && { session: shortId(sessionId) }),
    ...(logger !== undefined && { logger }),
    message,
  };
  return { line, data: log.store.sessionIds.inValue(data, sessionId) };
}

function ofSpan(span: Span, run: RunView): Evidence {
  const { log } = run;
  const took = endOf(span, activeUntil(run)) - span.startedAt;
  const { kind, sessionId, startedAt } = span;
  const shown = (text: string): string => shownText(log.store.sessionIds.inText(text, sessionId));
  const how = kind === 'turn' ? ` · ${outcomeText(span)}` : '';
  return {
    line: `${localTime(startedAt)} ${shown(`${stepText(span, maxStep)}${how}`)} · ${duration(took)}`,
    data: {
      time: isoTime(startedAt),
      kind,
      status: statusOf(span),
      ms: Math.round(took),
      ...(sessionId !== undefined && { session: shortId(sessionId) }),
      title: shown(span.title),
    },
  };
}
