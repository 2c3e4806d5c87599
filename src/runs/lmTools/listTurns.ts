import { passesSession } from '../../query/queryTest';
import type { Redaction } from '../../redact/redactorFor';
import { redactorFor } from '../../redact/redactorFor';
import { sessionLabel } from '../../text/sessionLabel';
import { duration, shownLine } from '../../text/text';
import type { JsonObject } from '../../text/json';
import { textOf } from '../../text/json';
import { activeUntil } from '../../past/files/fileRuns';
import type { RunView } from '../../runLog/runView';
import type { CostJump } from '../../timeline/costJumps';
import { costJumps, jumpText } from '../../timeline/costJumps';
import type { Outlined } from '../../timeline/outline';
import { outcomeText, outline, mapTexts, titleOf } from '../../timeline/outline';
import type { Span } from '../../timeline/span';
import { endOf, workKinds } from '../../timeline/span';
import { partsByTurn, summarizeTurn, summaryText } from '../../timeline/turnSummary';
import { usageDetails } from '../../timeline/usageText';
import { isoTime, lastThatFit, maxAnswer, unknownSession, withShortSessions } from './toolText';

const defaultLimit = 10;
const maxLimit = 100;
/** How much of the answer the parts of one turn may take, in bytes; the newest are listed. */
const maxParts = 8192;
const maxTitle = 120;
const maxJump = 300;
/** Space reserved for the head and notes, in bytes. */
const room = 1024;

interface Known {
  /** The parts of each turn. */
  readonly parts: ReadonlyMap<string, readonly Span[]>;
  readonly jumps: ReadonlyMap<string, CostJump>;
  readonly now: number;
}

/**
 * The newest turns of a run for a model, oldest first: a summary of each, what it used, and its tool calls with durations and outcomes.
 * @param redaction the user's, whether or not it is switched on
 */
export async function listTurns(
  run: RunView,
  input: JsonObject,
  redaction: Redaction,
  now = activeUntil(run),
): Promise<string> {
  const { log } = run;
  const session = textOf(input['session']);
  const isWanted = (id: string | undefined): boolean => {
    if (session === undefined || session === '') return true;
    return passesSession(id === undefined ? undefined : { id, title: log.find(id)?.title }, [session]);
  };
  if (!isWanted(undefined) && !log.sessions.some(({ id }) => isWanted(id))) return unknownSession(run);
  const redactor = redactorFor(redaction);
  const spans = await mapTexts(log.spans({ kinds: workKinds }), (text) => redactor.line(text));
  const parts = partsByTurn(spans);
  const known: Known = { parts, jumps: costJumps(spans, parts), now };
  const { before, limit } = input;
  const end = typeof before === 'number' ? before : Infinity;
  const turns = outline(spans.filter(({ sessionId }) => isWanted(sessionId))).filter(
    ([root]) => root !== undefined && root.span.firstSeq < end,
  );
  const count = typeof limit === 'number' && limit >= 1 ? Math.min(maxLimit, Math.floor(limit)) : defaultLimit;
  const texts = turns.slice(-count).map((entries) => withShortSessions(turnLines(entries, run, known).join('\n'), run));
  const shown = lastThatFit(texts, maxAnswer - room);
  const older = turns.length - shown.length;
  const first = turns.at(-shown.length)?.[0]?.span.firstSeq;
  return [
    `Turns of "${shownLine(run.name, 60)}" and what is in them: the newest ${shown.length} of ${turns.length}.`,
    ...(older > 0 && first !== undefined
      ? [`${older} older ones are left out: ask again with "before": ${first}.`]
      : []),
    ...(log.droppedSpans > 0 ? [`${log.droppedSpans} turns and tool calls are no longer available.`] : []),
    ...shown,
  ].join('\n');
}

function turnLines([root, ...below]: readonly Outlined[], run: RunView, known: Known): readonly string[] {
  if (!root) return [];
  const { id, sessionId, startedAt, usage } = root.span;
  const jump = known.jumps.get(id);
  const label = sessionId === undefined ? 'connection' : sessionLabel(sessionId, run.log.find(sessionId)?.title);
  const partLines = below.map(({ span, depth }) => {
    const after = duration(span.startedAt - startedAt);
    return `${'  '.repeat(depth)}${spanLine(span, known)}, after ${after}`;
  });
  const lines = lastThatFit(partLines, maxParts);
  const left = below.length - lines.length;
  return [
    `${spanLine(root.span, known)} at ${isoTime(startedAt)} [${shownLine(label, 60)}]`,
    ...(usage ? [`  ${usageDetails(usage)}`] : []),
    ...(jump ? [`  ${shownLine(jumpText(jump), maxJump)}`] : []),
    ...(left > 0 ? [`  (${left} earlier parts are left out)`] : []),
    ...lines,
  ];
}

/** `tool #14..16 "npm test": failed (exit 1), 9.0 s` */
function spanLine(span: Span, { parts, now }: Known): string {
  const { id, kind, startedAt, firstSeq, lastSeq, title } = span;
  const name = JSON.stringify(kind === 'turn' ? shownLine(title, maxTitle) : titleOf(span, maxTitle));
  const took =
    kind === 'turn'
      ? summaryText(summarizeTurn(span, parts.get(id) ?? [], now))
      : duration(endOf(span, now) - startedAt);
  return `${kind} #${firstSeq}..${lastSeq} ${name}: ${outcomeText(span)}, ${took}`;
}
