import { compiled } from '../../log/query/compiledQuery';
import { isThreshold, thresholds } from '../../log/level';
import type { RecordKind } from '../../log/record';
import type { OwnPatterns } from '../../log/redact/ownPatterns';
import { sessionLabel, shortId } from '../../log/sessionLabel';
import { oneLine } from '../../log/text';
import type { JsonObject } from '../../protocols/json';
import { arrayOf, textOf } from '../../protocols/json';
import type { RunView } from '../../runs/runView';
import { safeRecords } from './safeRecords';
import { lastThatFit, maxAnswer, recordLine, untrusted, withShortSessions } from './toolText';

/** The kinds that a model can search for; the manifest lists the same. */
export const searchedKinds: readonly RecordKind[] = [
  'log',
  'notice',
  'stderr',
  'activity',
  'lifecycle',
  'diagnosis',
  'wire',
];

const defaultLimit = 50;
const maxLimit = 200;
/** Room for the heading and the notes, in bytes. */
const room = 1024;

/**
 * The newest records of a run that match a model's query, oldest first, and how to get the others.
 * @param patterns the user's redaction patterns
 */
export function searchRecords(run: RunView, input: JsonObject, patterns: OwnPatterns | readonly RegExp[] = []): string {
  const { minLevel, before } = input;
  if (minLevel !== undefined && !isThreshold(minLevel)) {
    return `"minLevel" is not known. It is one of ${thresholds.join(', ')}.`;
  }
  const sessions = sessionsOf(run, textOf(input['session']));
  if (sessions?.size === 0) return unknownSession(run);
  const kinds = searchedKinds.filter((kind) => arrayOf(input['kinds']).includes(kind));
  const query = compiled({ minLevel, text: textOf(input['text']), ...(kinds.length > 0 && { kinds }) });
  const upTo = typeof before === 'number' ? Math.ceil(before) - 1 : Infinity;
  const { records: wanted, older: others } = run.log.store.last(limitOf(input['limit']), { ...query, upTo }, sessions);
  const lines = lastThatFit(
    safeRecords(wanted, run, patterns).map((record) => withShortSessions(recordLine(record, run), run)),
    maxAnswer - room,
  );
  const first = wanted.at(-lines.length)?.seq;
  const older = others + wanted.length - lines.length;
  return [
    `${others + wanted.length} records of "${oneLine(run.name, 60)}" match; the newest ${lines.length} of them:`,
    ...(older > 0 && first !== undefined
      ? [`${older} older ones are left out: ask again with "before": ${first}, or for less.`]
      : []),
    ...(run.log.store.dropped > 0 ? [`${run.log.store.dropped} records are no longer in memory.`] : []),
    untrusted,
    ...lines,
  ].join('\n');
}

function limitOf(limit: unknown): number {
  return typeof limit === 'number' && limit >= 1 ? Math.min(maxLimit, Math.floor(limit)) : defaultLimit;
}

/** The sessions with that title or shortened id; `undefined` for all. */
function sessionsOf(run: RunView, wanted: string | undefined): ReadonlySet<string> | undefined {
  if (wanted === undefined) return undefined;
  const end = wanted.replace(/^…/, '');
  const fitting = run.log.sessions.filter(({ id, title }) => shortId(id) === end || sessionLabel(id, title) === wanted);
  return new Set(fitting.map(({ id }) => id));
}

function unknownSession(run: RunView): string {
  const known = run.log.sessions.slice(-20).map(({ id, title }) => `"${sessionLabel(id, title)}"`);
  if (known.length === 0) return 'This run has no sessions: leave "session" out.';
  return `No session is called that. The newest are ${known.join(', ')}.`;
}
