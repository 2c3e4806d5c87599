import { problemText } from '../diagnosis/problemText';
import type { RunProblem } from '../runLog/runProblems';
import type { RunView } from '../runLog/runView';
import { wantedBetween, wantedCodes } from '../query/compiledQuery';
import type { Redaction } from '../redact/redactorFor';
import { objectOf, textOf } from '../text/json';
import { reaches } from '../text/level';
import type { LogRecord } from '../text/record';
import { oneLine } from '../text/text';
import { inEnglish } from '../text/translator';
import { describeTermination } from '../wire/termination';
import { savedOf } from './askingSession';
import { safeRecords, safeText } from './safeRecords';
import type { ToolInput } from './toolInput';
import { recordBefore } from './toolInput';
import {
  boundedText,
  isoTime,
  lastThatFit,
  maxAnswer,
  moreAt,
  recordLine,
  room,
  sessionTest,
  withShortSessions,
} from './toolText';

/** The newest warnings, errors and other records that are listed beside the problems. */
const maxLogged = 10;
/** Evidence of one problem: the first and the latest occurrence, mostly. */
const maxEvidence = 3;
const maxMessage = 1000;
/** How much of the answer stderr may take, in bytes. */
const maxEnd = 6 * 1024;
const maxRequests = 10;

/** @param advice is cut from the end of the message */
type Line = (record: LogRecord, advice?: string) => string;

interface Shown {
  readonly line: Line;
  /** Cuts a text to a number of bytes. */
  readonly bounded: (text: string, maxBytes: number) => string;
}

/**
 * Explains what went wrong in a run, or in one of its sessions: its problems, each with cause, evidence and advice, and how it ended. With a cursor,
 * only problems before that record.
 * @param redaction the user's, whether or not it is switched on
 * @throws HumanError if there is no such session
 */
export function problemsOf(run: RunView, input: ToolInput, redaction: Redaction): string {
  const isWanted = sessionTest(input.session, run);
  const before = recordBefore(input);
  const line: Line = (record, advice = '') => {
    const [{ message, ...safe } = record] = safeRecords([record], run, redaction);
    const what = message.endsWith(advice) ? message.slice(0, message.length - advice.length).trimEnd() : message;
    return withShortSessions(recordLine({ ...safe, message: what }, run), run);
  };
  const shown: Shown = {
    line,
    bounded: (text, max) => boundedText(withShortSessions(safeText(text, redaction), run), max),
  };
  if (before !== Infinity) return problemSection(run, isWanted, before, shown, maxAnswer - room).join('\n');
  const head = [shown.bounded(endOf(run), maxEnd), ...requestsOf(run)].join('\n');
  const sessions = [undefined, ...run.log.sessions.map(({ id }) => id)].filter(isWanted);
  const third = Math.floor((maxAnswer - Buffer.byteLength(head) - room) / 3);
  const newest = (test: Parameters<typeof wantedCodes>[0]): readonly LogRecord[] =>
    run.log.store.last(maxLogged, wantedBetween(wantedCodes(test), 0, Infinity), sessions).records;
  return [
    head,
    '',
    ...problemSection(run, isWanted, before, shown, third),
    '',
    ...section('Warnings and errors that were logged, the newest last:', newest(isWarning), line, third),
    ...section(
      'What it did last:',
      newest(({ level }) => level !== 'debug'),
      line,
      third,
    ),
    'More is to be found by searching the records of this run.',
  ].join('\n');
}

/** The newest problems that still hold, oldest first. */
function problemSection(
  run: RunView,
  isWanted: (sessionId: string | undefined) => boolean,
  before: number,
  { line, bounded }: Shown,
  maxBytes: number,
): readonly string[] {
  const all = run.log.problems.all.filter(({ seq, sessionId }) => seq < before && isWanted(sessionId));
  if (all.length === 0) return [before === Infinity ? 'No problem was found.' : 'There are no older problems.'];
  const texts = all.map((problem) => shownProblem(problem, run, line).join('\n'));
  // The newest is shown even if it is long.
  const fitting = lastThatFit(texts, maxBytes);
  const shown = fitting.length > 0 ? fitting : texts.slice(-1).map((text) => bounded(text, maxBytes));
  const older = all.length - shown.length;
  return [
    `${all.length === 1 ? '1 problem' : `${all.length} problems`}, the newest last:`,
    ...(older > 0 ? [moreAt(older === 1 ? '1 older one is' : `${older} older ones are`, all[older]?.seq ?? 0)] : []),
    ...shown,
  ];
}

function shownProblem({ seq, code = '', evidence }: RunProblem, run: RunView, line: Line): readonly string[] {
  const { store } = run.log;
  const record = store.get(seq);
  if (!record) return [`#${seq} ${code}: the record is no longer available.`];
  const { title, why, advice: usual } = problemText(code, run.protocol) ?? {};
  const advice = textOf(objectOf(record.data)['advice']) ?? (usual && inEnglish(usual));
  const shown = evidence.flatMap((one) => store.get(one) ?? []).slice(0, maxEvidence);
  return [
    line(record, advice),
    ...(why ? [`  ${title ? inEnglish(title) : code}: ${inEnglish(why)}`] : []),
    ...(advice === undefined ? [] : [`  What to do: ${oneLine(advice, maxMessage)}`]),
    ...(shown.length > 0 ? ['  Evidence:', ...shown.map((one) => `    ${line(one)}`)] : []),
  ];
}

/** What an agent or its log says; diagnoses are listed as problems. */
function isWarning({ level, kind }: Pick<LogRecord, 'level' | 'kind'>): boolean {
  return reaches(level, 'warning') && kind !== 'diagnosis';
}

function endOf(run: RunView): string {
  const { name, state, startedAt } = run;
  const started = `"${oneLine(name, 60)}" was started at ${isoTime(startedAt)}.`;
  if (state.type === 'ended') {
    return `${started}\nEnded at ${isoTime(state.at)}.\n${describeTermination(oneLine(name, 60), state.termination)}`;
  }
  if (savedOf(run)) return `${started}\nIt is a saved session, which may be continued.`;
  return `${started}\nIt has not ended, as far as is known: it is ${state.type}.`;
}

/** Open requests may be what the agent waits for. */
function requestsOf({ log }: RunView): string[] {
  return log.requests
    .slice(0, maxRequests)
    .map(
      ({ method, direction, startedAt }) =>
        `Unanswered: ${oneLine(method, 60)}, ${direction === 'out' ? 'asked by the client' : 'asked of the client'} at ${isoTime(startedAt)}.`,
    );
}

function section(title: string, records: readonly LogRecord[], line: Line, maxBytes: number): string[] {
  if (records.length === 0) return [];
  const lines = lastThatFit(
    records.map((record) => line(record)),
    maxBytes,
  );
  const left = records.length - lines.length;
  return [title, ...(left > 0 ? [`(${left} left out, they are too long)`] : []), ...lines, ''];
}
