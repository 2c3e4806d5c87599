import { boundedJson } from '../text/boundedJson';
import { categoryOf } from '../text/format';
import type { LogRecord } from '../text/record';
import type { HumanError } from '../text/humanError';
import { sessionLabel } from '../text/sessionLabel';
import { cutAnywhere, oneLine, shownLine } from '../text/text';
import { passesSession } from '../query/queryTest';
import type { RunView } from '../runLog/runView';
import { numberIn, wrong } from './toolInput';

/** Maximum length of an answer, in bytes, so that it doesn't crowd a model's context. */
export const maxAnswer = 16_384;
/** Space reserved for heads and notes, in bytes. */
export const room = 1024;
const maxMessage = 1000;
const maxData = 500;

/** A record as one line: number, time, level, session, and message, which is redacted already. */
export function recordLine(record: LogRecord, run: RunView): string {
  const { seq, receivedAt, level, kind, logger, message, data } = record;
  const category = categoryOf(record, (sessionId) => sessionLabel(sessionId, run.log.find(sessionId)?.title));
  const text = shownLine(message, maxMessage);
  // What a diagnosis has beside its message is for programs.
  const more = data === undefined || kind === 'diagnosis' ? '' : ` ${oneLine(boundedJson(data, maxData), maxData)}`;
  const by = logger === undefined ? '' : ` ${oneLine(logger, 100)}:`;
  return `#${seq} ${isoTime(receivedAt)} ${level} ${kind} [${oneLine(category, 60)}]${by} ${text}${more}`;
}

/** Shortens every session id in a text of a run. */
export function withShortSessions(text: string, run: RunView): string {
  return run.log.store.sessionIds.inText(text);
}

/** The last lines that fit in a number of bytes, in order. */
export function lastThatFit(lines: readonly string[], maxBytes: number): readonly string[] {
  let bytes = 0;
  let first = lines.length;
  while (first > 0) {
    bytes += Buffer.byteLength(lines[first - 1] ?? '') + 1;
    if (bytes > maxBytes) break;
    first--;
  }
  return lines.slice(first);
}

/**
 * Some lines, as many as fit, and how to get the next ones.
 * @param cursor the number of the first line
 * @throws HumanError if the cursor isn't one
 */
export function pageOf(lines: readonly string[], cursor = '0'): readonly string[] {
  const from = numberIn(cursor);
  if (from > 0 && from >= lines.length) throw wrong('Nothing is left at this cursor: ask again without it.');
  let bytes = room;
  let end = from;
  while (end < lines.length) {
    bytes += Buffer.byteLength(lines[end] ?? '') + 1;
    if (bytes > maxAnswer && end > from) break;
    end++;
  }
  const left = lines.length - end;
  return [
    ...lines.slice(from, end),
    ...(left > 0 ? [moreAt(left === 1 ? '1 more line is' : `${left} more lines are`, end)] : []),
  ];
}

/** Cuts text to a number of bytes, with a note if it was cut. It must be redacted already. */
export function boundedText(text: string, maxBytes = maxAnswer): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  // A UTF-16 unit is three bytes of UTF-8 at most.
  let units = maxBytes - 60;
  while (Buffer.byteLength(text.slice(0, units)) > maxBytes - 60) units = Math.floor(units * 0.9);
  return cutAnywhere(text, units);
}

export function isoTime(ms: number): string {
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? 'no time' : time.toISOString();
}

/** Says how to get what is left out of an answer, whose last line it is. */
export function moreAt(left: string, cursor: string | number): string {
  return `${left} left out: ask again with "cursor": "${cursor}".`;
}

/**
 * Whether a session is the one of a name: its title or the end of its ID. Without a name, all are.
 * @throws HumanError if a run has none of the name
 */
export function sessionTest(name: string | undefined, run: RunView): (sessionId: string | undefined) => boolean {
  if (name === undefined) return () => true;
  const isNamed = (id: string | undefined): boolean =>
    passesSession(id === undefined ? undefined : { id, title: run.log.find(id)?.title }, [name]);
  if (!isNamed(undefined) && !run.log.sessions.some(({ id }) => isNamed(id))) throw unknownSession(run);
  return isNamed;
}

/** Says that a run has no session of the given name. */
export function unknownSession(run: RunView): HumanError {
  const known = run.log.sessions.slice(-20).map(({ id, title }) => `"${sessionLabel(id, title)}"`);
  if (known.length === 0) return wrong('This run has no sessions: leave the session out.');
  return wrong(`No session is called that. The newest are ${known.join(', ')}.`);
}
