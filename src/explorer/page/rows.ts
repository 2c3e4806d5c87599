import { rankOf } from '../../text/level';
import type { LogRecord } from '../../text/record';
import { markedId, sessionLabel } from '../../text/sessionLabel';
import { shownText } from '../../text/text';
import { shownMessage } from '../../diagnosis/diagnosisText';
import type { Translator } from '../../text/translator';
import type { ExplorerLog } from '../../runLog/explorerRun';
import type { Row } from './messages';
import { maxCell } from './messages';

const maxName = 100;
/** Titles that have this many characters in common are shown from where they differ. */
const maxAlike = 12;

/** A row of the grid. */
export function rowOf(record: LogRecord, log: ExplorerLog, tags: SessionTags, l10n: Translator): Row {
  const { seq, receivedAt: at, level, kind, sessionId, logger = '' } = record;
  const message = oneShownLine(shownMessage(record, l10n), maxCell);
  const isSettled = log.settledBy(seq) !== undefined;
  return {
    seq,
    at,
    level: rankOf(level),
    kind,
    session: sessionName(log, sessionId),
    tag: tags.get(sessionId) ?? '',
    logger: oneShownLine(logger, maxName),
    message: isSettled ? l10n.t('Settled: {0}', message) : message,
    isSettled,
  };
}

export function sessionName(log: ExplorerLog, sessionId: string | undefined): string {
  return sessionId === undefined ? '' : sessionLabel(sessionId, log.find(sessionId)?.title);
}

/** What tells each session of a run apart from the others, by its ID. */
export type SessionTags = ReadonlyMap<string | undefined, string>;

/** Titles that begin alike are told apart by their ends, equal ones by their IDs. Empty if there is only one session. */
export function sessionTags(log: ExplorerLog): SessionTags {
  const names = log.sessions
    .filter(({ counts }) => Object.values(counts).some((count) => count > 0))
    .map(({ id, title }) => ({ id, name: sessionLabel(id, title) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  if (names.length < 2) return new Map();
  return new Map(
    names.map(({ id, name }, index) => {
      const others = [names[index - 1]?.name ?? '', names[index + 1]?.name ?? ''];
      if (others.includes(name)) return [id, markedId(id)];
      const alike = Math.max(...others.map((other) => alikeUntil(name, other)));
      // The column shows about this much of a title.
      return [id, alike < maxAlike ? name : `…${name.slice(name.lastIndexOf(' ', alike) + 1)}`];
    }),
  );
}

/** How many characters two texts have in common from their start. */
function alikeUntil(one: string, other: string): number {
  let index = 0;
  while (index < one.length && one[index] === other[index]) index++;
  return index;
}

/** At most `max` characters of a text on one line. */
export function oneShownLine(text: string, max: number): string {
  const line = shownText(text.slice(0, max)).replace(/\s+/g, ' ').trim();
  return text.length > max ? `${line}…` : line;
}
