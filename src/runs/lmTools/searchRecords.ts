import { hintWords } from '../../query/hintWords';
import { parseQuery } from '../../query/parseQuery';
import type { Query } from '../../query/query';
import { passesSession } from '../../query/queryTest';
import type { LogRecord } from '../../text/record';
import type { Redaction } from '../../redact/redactorFor';
import { shownLine } from '../../text/text';
import type { JsonObject } from '../../text/json';
import { textOf } from '../../text/json';
import { inEnglish } from '../../text/translator';
import type { RecordResult } from '../../matches/recordResult';
import { queryRun } from '../runQuery';
import { HumanError } from '../../text/humanError';
import type { RunView } from '../../runLog/runView';
import { safeRecords } from './safeRecords';
import { lastThatFit, maxAnswer, recordLine, unknownSession, withShortSessions } from './toolText';

const defaultLimit = 50;
const maxLimit = 200;
/** Space reserved for the head and notes, in bytes. */
const room = 1024;

/**
 * The newest records of a run that match a query in the explorer's language, oldest first, and how to ask for the others.
 * @param redaction the user's, whether or not it is switched on
 */
export async function searchRecords(run: RunView, input: JsonObject, redaction: Redaction): Promise<string> {
  const query = parseQuery(textOf(input['query']) ?? '');
  if (namesUnknownSession(query, run)) return unknownSession(run);
  try {
    return await queryRun(run, query, (result) => answer(run, result, query, input, redaction));
  } catch (error) {
    if (error instanceof HumanError) return error.message;
    throw error;
  }
}

async function answer(
  run: RunView,
  result: RecordResult,
  query: Query,
  input: JsonObject,
  redaction: Redaction,
): Promise<string> {
  const { total: all } = result.state;
  const { before } = input;
  const total = typeof before === 'number' ? (result.indexOf(Math.ceil(before))?.index ?? all) : all;
  const limit = Math.min(limitOf(input['limit']), total);
  const wanted: readonly LogRecord[] = await result.rows(total - limit, limit);
  const lines = lastThatFit(
    safeRecords(wanted, run, redaction).map((record) => withShortSessions(recordLine(record, run), run)),
    maxAnswer - room,
  );
  const first = wanted.at(-lines.length)?.seq;
  const older = total - lines.length;
  return [
    `${total} records of "${shownLine(run.name, 60)}" match; the newest ${lines.length} of them:`,
    ...query.hints.slice(0, 3).map((hint) => `Note: ${inEnglish(hintWords(hint))}`),
    ...(older > 0 && first !== undefined
      ? [`${older} older ones are left out: ask again with "before": ${first}, or narrow the query.`]
      : []),
    ...(run.log.store.dropped > 0 ? [`${run.log.store.dropped} records are no longer available.`] : []),
    ...lines,
  ].join('\n');
}

function limitOf(limit: unknown): number {
  return typeof limit === 'number' && limit >= 1 ? Math.min(maxLimit, Math.floor(limit)) : defaultLimit;
}

function namesUnknownSession({ terms }: Query, { log }: RunView): boolean {
  const names = terms.flatMap((term) => (term.key === 'session' && !term.negated ? term.values : []));
  if (names.length === 0 || passesSession(undefined, names)) return false;
  return !log.sessions.some((session) => passesSession(session, names));
}
