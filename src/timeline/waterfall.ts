import { duration, shownLine } from '../text/text';
import type { CostJump } from './costJumps';
import { costJumps, jumpText } from './costJumps';
import type { Outlined } from './outline';
import { outcomeText, outline, stepText } from './outline';
import type { Span } from './span';
import { endOf } from './span';
import { summarizeTurn, summaryText } from './turnSummary';
import { contextIn, contextText } from './usageText';

const barWidth = 32;
const maxLines = 120;
/** Maximum number of parts per turn; the newest are shown. */
const maxParts = 40;
const maxTitle = 60;
const maxJump = 300;

/**
 * Turns as monospaced text: a summary of each, and its parts with bars on the turn's time axis. The newest that fit, oldest first.
 * @param spans in order of their start
 * @param now the end of spans that are still open, in milliseconds since the epoch
 */
export function waterfall(spans: readonly Span[], now: number): string {
  const all = outline(spans);
  const jumps = costJumps(spans);
  const turns = all.filter(([root]) => root?.span.kind === 'turn');
  // Such as the tool calls of an MCP server.
  const others = all.filter(([root]) => root?.span.kind !== 'turn').flat();
  const blocks = [
    ...(others.length === 0 ? [] : [() => partLines(others, now)]),
    ...turns.map((entries) => () => turnLines(entries, jumps, now)),
  ];
  const kept: (readonly string[])[] = [];
  let room = maxLines;
  for (const blockOf of [...blocks].reverse()) {
    const block = blockOf();
    room -= block.length + 1;
    if (room < 0 && kept.length > 0) break;
    kept.unshift(block);
  }
  const left = blocks.length - kept.length;
  const note = left === 0 ? [] : [[`(${left} earlier turns are left out)`]];
  return [...note, ...kept].map((lines) => lines.join('\n')).join('\n\n');
}

function turnLines(
  [turn, ...parts]: readonly Outlined[],
  jumps: ReadonlyMap<string, CostJump>,
  now: number,
): readonly string[] {
  if (!turn) return [];
  const { span } = turn;
  const summary = summaryText(
    summarizeTurn(
      span,
      parts.map((part) => part.span),
      now,
    ),
  );
  const context = contextText(contextIn(span.usage));
  const head = [
    outcomeText(span),
    summary,
    ...(context === undefined ? [] : [context]),
    shownLine(span.title, maxTitle),
  ];
  const jump = jumps.get(span.id);
  return [head.join(' · '), ...(jump ? [shownLine(jumpText(jump), maxJump)] : []), ...partLines(parts, now, span)];
}

/** @param turn the span whose time the bars divide; by default all the parts */
function partLines(parts: readonly Outlined[], now: number, turn?: Span): readonly string[] {
  const shown = parts.slice(-maxParts);
  const spans = shown.map(({ span }) => span);
  const from = turn?.startedAt ?? Math.min(...spans.map(({ startedAt }) => startedAt));
  const to = turn ? endOf(turn, now) : Math.max(...spans.map((span) => endOf(span, now)));
  const at = (time: number): number =>
    Math.max(0, Math.min(barWidth, Math.round(((time - from) / Math.max(1, to - from)) * barWidth)));
  const lines = shown.map(({ span, depth }) => {
    const start = Math.min(barWidth - 1, at(span.startedAt));
    const length = Math.max(1, at(endOf(span, now)) - start);
    const bar = `${' '.repeat(start)}${'█'.repeat(length)}`.padEnd(barWidth);
    const took = duration(endOf(span, now) - span.startedAt).padStart(12);
    return `|${bar}| ${took}  ${'  '.repeat(Math.max(0, depth - 1))}${stepText(span, maxTitle)}`;
  });
  const left = parts.length - shown.length;
  return left === 0 ? lines : [`(${left} earlier parts are left out)`, ...lines];
}
