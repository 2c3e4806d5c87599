import type { Redaction } from '../redact/redactorFor';
import { redactorFor } from '../redact/redactorFor';
import { sessionLabel } from '../text/sessionLabel';
import { duration, oneLine, shownLine } from '../text/text';
import { activeUntil } from '../past/files/fileRuns';
import type { RunView } from '../runLog/runView';
import type { CostJump } from '../timeline/costJumps';
import { costJumps, jumpText } from '../timeline/costJumps';
import type { Outlined } from '../timeline/outline';
import { outcomeText, outline, mapTexts, titleOf } from '../timeline/outline';
import type { Span } from '../timeline/span';
import { endOf, workKinds } from '../timeline/span';
import { partsByTurn, summarizeTurn, summaryText } from '../timeline/turnSummary';
import { usageDetails } from '../timeline/usageText';
import type { ToolInput } from './toolInput';
import { recordBefore } from './toolInput';
import { isoTime, lastThatFit, maxAnswer, moreAt, room, sessionTest, withShortSessions } from './toolText';

const defaultLimit = 10;
/** How much of the answer the parts of one turn may take, in bytes; the newest are listed. */
const maxParts = 8192;
const maxTitle = 120;
const maxJump = 300;

interface Known {
  /** The parts of each turn. */
  readonly parts: ReadonlyMap<string, readonly Span[]>;
  readonly jumps: ReadonlyMap<string, CostJump>;
  readonly now: number;
}

/**
 * The newest turns of a run for a model, oldest first: a summary of each, what it used, and its tool calls with durations and outcomes.
 * @param redaction the user's, whether or not it is switched on
 * @throws HumanError if there is no such session
 */
export async function readTurns(
  run: RunView,
  input: ToolInput,
  redaction: Redaction,
  now = activeUntil(run),
): Promise<string> {
  const { log } = run;
  const isWanted = sessionTest(input.session, run);
  const redactor = redactorFor(redaction);
  const spans = await mapTexts(log.spans({ kinds: workKinds }), (text) => redactor.line(text));
  const parts = partsByTurn(spans);
  const known: Known = { parts, jumps: costJumps(spans, parts), now };
  const end = recordBefore(input);
  const turns = outline(spans.filter(({ sessionId }) => isWanted(sessionId))).filter(
    ([root]) => root !== undefined && root.span.firstSeq < end,
  );
  const texts = turns
    .slice(-(input.limit ?? defaultLimit))
    .map((entries) => withShortSessions(turnLines(entries, run, known).join('\n'), run));
  const shown = lastThatFit(texts, maxAnswer - room);
  const older = turns.length - shown.length;
  const first = turns.at(-shown.length)?.[0]?.span.firstSeq;
  return [
    `Turns of "${oneLine(run.name, 60)}" and what is in them: the newest ${shown.length} of ${turns.length}.`,
    ...(older > 0 && first !== undefined ? [moreAt(`${older} older ones are`, first)] : []),
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
    `${spanLine(root.span, known)} at ${isoTime(startedAt)} [${oneLine(label, 60)}]`,
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
