import { hintWords } from '../query/hintWords';
import { parseQuery } from '../query/parseQuery';
import type { Query } from '../query/query';
import { passesSession } from '../query/queryTest';
import type { LogRecord } from '../text/record';
import type { Redaction } from '../redact/redactorFor';
import { oneLine } from '../text/text';
import { inEnglish } from '../text/translator';
import type { RecordResult } from '../matches/recordResult';
import { queryRun } from '../runs/runQuery';
import type { RunView } from '../runLog/runView';
import { safeRecords } from './safeRecords';
import type { ToolInput } from './toolInput';
import { recordBefore } from './toolInput';
import { lastThatFit, maxAnswer, moreAt, recordLine, room, unknownSession, withShortSessions } from './toolText';

const defaultLimit = 50;

/**
 * The newest records of a run that match a query in the explorer's language, oldest first, and how to ask for the others.
 * @param redaction the user's, whether or not it is switched on
 * @throws HumanError if there is no such session, or a regular expression is invalid or too slow
 */
export async function readRecords(run: RunView, input: ToolInput, redaction: Redaction): Promise<string> {
  const query = parseQuery(input.query ?? '');
  if (namesUnknownSession(query, run)) throw unknownSession(run);
  return queryRun(run, query, (result) => answer(run, result, query, input, redaction));
}

async function answer(
  run: RunView,
  result: RecordResult,
  query: Query,
  input: ToolInput,
  redaction: Redaction,
): Promise<string> {
  const { total: all } = result.state;
  const before = recordBefore(input);
  const total = before === Infinity ? all : (result.indexOf(before)?.index ?? all);
  const limit = Math.min(input.limit ?? defaultLimit, total);
  const wanted: readonly LogRecord[] = await result.rows(total - limit, limit);
  const lines = lastThatFit(
    safeRecords(wanted, run, redaction).map((record) => withShortSessions(recordLine(record, run), run)),
    maxAnswer - room,
  );
  const first = wanted.at(-lines.length)?.seq;
  const older = total - lines.length;
  return [
    `${total} records of "${oneLine(run.name, 60)}" match; the newest ${lines.length} of them:`,
    ...query.hints.slice(0, 3).map((hint) => `Note: ${inEnglish(hintWords(hint))}`),
    ...(older > 0 && first !== undefined ? [`${moreAt(`${older} older ones are`, first)} Or narrow the query.`] : []),
    ...(run.log.store.dropped > 0 ? [`${run.log.store.dropped} records are no longer available.`] : []),
    ...lines,
  ].join('\n');
}

function namesUnknownSession({ terms }: Query, { log }: RunView): boolean {
  const names = terms.flatMap((term) => (term.key === 'session' && !term.negated ? term.values : []));
  if (names.length === 0 || passesSession(undefined, names)) return false;
  return !log.sessions.some((session) => passesSession(session, names));
}
