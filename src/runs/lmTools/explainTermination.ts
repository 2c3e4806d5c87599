import { wantedBetween, wantedCodes } from '../../query/compiledQuery';
import { reaches } from '../../text/level';
import type { LogRecord } from '../../text/record';
import type { Redaction } from '../../redact/redactorFor';
import { describeTermination } from '../../wire/termination';
import { shownLine } from '../../text/text';
import type { RunView } from '../../runLog/runView';
import { safeRecords } from './safeRecords';
import { boundedText, isoTime, lastThatFit, maxAnswer, recordLine, withShortSessions } from './toolText';

const maxProblems = 20;
const maxLast = 10;
/** How much of the answer stderr may take, in bytes. */
const maxEnd = 6 * 1024;
const maxRequests = 10;

/**
 * Explains why a run ended: its termination and stderr, its problems, and its last records.
 * @param redaction the user's, whether or not it is switched on
 */
export function explainTermination(run: RunView, redaction: Redaction): string {
  const newest = (limit: number, test: Parameters<typeof wantedCodes>[0]): readonly LogRecord[] =>
    run.log.store.last(limit, wantedBetween(wantedCodes(test), 0, Infinity)).records;
  const problems = newest(maxProblems, isProblem);
  const last = newest(maxLast, ({ level }) => level !== 'debug');
  const head = [boundedText(withShortSessions(endOf(run), run), maxEnd), ...requestsOf(run)].join('\n');
  const half = Math.floor((maxAnswer - Buffer.byteLength(head) - 400) / 2);
  const lines = (of: readonly LogRecord[]): readonly string[] =>
    lastThatFit(
      safeRecords(of, run, redaction).map((record) => withShortSessions(recordLine(record, run), run)),
      half,
    );
  return [
    head,
    '',
    ...section('What went wrong, the newest last:', lines(problems), problems.length),
    ...section('What it did last:', lines(last), last.length),
    'More is to be found by searching the records of this run.',
  ].join('\n');
}

/** What to look at first: warnings and above, and failures that the agent didn't report. */
function isProblem({ level, kind }: Pick<LogRecord, 'level' | 'kind'>): boolean {
  return reaches(level, 'warning') || kind === 'diagnosis';
}

function endOf(run: RunView): string {
  const { name, state, startedAt } = run;
  const started = `"${shownLine(name, 60)}" was started at ${isoTime(startedAt)}.`;
  if (state.type === 'ended') {
    return `${started}\nEnded at ${isoTime(state.at)}.\n${describeTermination(shownLine(name, 60), state.termination)}`;
  }
  return `${started}\nIt has not ended, as far as is known: it is ${state.type}.`;
}

/** Open requests may be what the agent waits for. */
function requestsOf({ log }: RunView): string[] {
  return log.requests
    .slice(0, maxRequests)
    .map(
      ({ method, direction, startedAt }) =>
        `Unanswered: ${shownLine(method, 60)}, ${direction === 'out' ? 'asked of the agent' : 'asked by the agent'} at ${isoTime(startedAt)}.`,
    );
}

function section(title: string, lines: readonly string[], of: number): string[] {
  if (of === 0) return [];
  const left = of - lines.length;
  return [title, ...(left > 0 ? [`(${left} left out, they are too long)`] : []), ...lines, ''];
}
