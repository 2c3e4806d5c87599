import { activeUntil } from '../past/files/fileRuns';
import type { RunView } from '../runLog/runView';
import { redactorFor } from '../redact/redactorFor';
import type { Redaction } from '../redact/redactorFor';
import { oneLine } from '../text/text';
import { comparedSpans } from '../runs/comparedSpans';
import type { ComparedSide } from '../timeline/comparison';
import { describeSide } from '../timeline/comparison';
import { mapTexts } from '../timeline/outline';
import type { ToolInput } from './toolInput';
import { isoTime, pageOf } from './toolText';

/** How many of the steps that are the same are shown before the first difference. */
const same = 3;

/**
 * What two runs took and used, and the steps from the first one that differs on.
 * @param redaction the user's, whether or not it is switched on
 * @throws HumanError if the cursor isn't one
 */
export async function compareRuns(
  run: RunView,
  other: RunView,
  { cursor }: ToolInput,
  redaction: Redaction,
): Promise<string> {
  const [first, second] = [await sideOf(run, redaction), await sideOf(other, redaction)];
  if (first.spans.length + second.spans.length === 0) return 'Neither run has a turn.';
  const lines = [...(await linesOf(first, second)), '', ...(await linesOf(second, first))];
  return pageOf(lines, cursor).join('\n');
}

async function sideOf(run: RunView, redaction: Redaction): Promise<ComparedSide> {
  const redactor = redactorFor(redaction);
  const spans = await mapTexts(await comparedSpans(run), (text) => redactor.line(text));
  const head = [`"${oneLine(run.name, 60)}" id ${run.id}, started ${isoTime(run.startedAt)}`];
  return { head, spans, now: activeUntil(run), isTurn: false };
}

async function linesOf(own: ComparedSide, other: ComparedSide): Promise<readonly string[]> {
  const { text, steps, line } = await describeSide(own, other);
  const lines = text.split('\n');
  const left = Math.max(0, line - steps - same);
  return [
    ...lines.slice(0, steps),
    ...(left > 0 ? [`(${left === 1 ? '1 step is' : `${left} steps are`} the same)`] : []),
    ...lines.slice(steps + left),
  ];
}
