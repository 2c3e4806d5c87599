import { duration, shownLine } from '../text/text';
import type { Translator } from '../text/translator';
import { english } from '../text/translator';
import { hasFailed } from '../work/outcome';
import type { Outlined } from './outline';
import { outcomeText, outline, stepText } from './outline';
import { Slices } from '../time/slices';
import type { Span } from './span';
import { endOf } from './span';
import { outerTurns, totalUsage } from './totalUsage';
import { partsByTurn, summarizeTurn } from './turnSummary';
import { usageRows } from './usageText';

/** One of two sides to compare: a turn, a session or a run. */
export interface ComparedSide {
  /** Lines that name it. */
  readonly head: readonly string[];
  /** In order of their start. */
  readonly spans: readonly Span[];
  /** The end of spans that are still open, in milliseconds since the epoch. */
  readonly now: number;
  /** Whether it is a single turn: its prompt is then in the head, and isn't a step. */
  readonly isTurn: boolean;
}

/** One side as text. */
export interface Comparison {
  readonly text: string;
  /** Index of the line with the first step. */
  readonly steps: number;
  /** Index of the line with the first step that the other side doesn't have; that of the first step if there is none. */
  readonly line: number;
}

const maxSteps = 5000;
const maxTitle = 160;

interface Step {
  readonly text: string;
  /** In milliseconds; absent for the end of a turn that has a step of its own. */
  readonly took?: number;
}

/** Maximum length of a tool's name, and number of tools in the table; those called most often are listed. */
const maxTool = 32;
const maxTools = 30;

interface ToolTotal {
  calls: number;
  errors: number;
  total: number;
}

/**
 * Describes one of two sides so that VS Code's diff editor shows how they differ: the same rows and columns, and steps without times, which
 * always differ. Times are at the end.
 */
export async function describeSide(
  own: ComparedSide,
  other: ComparedSide,
  l10n: Translator = english,
): Promise<Comparison> {
  const slices = new Slices();
  const steps = await stepsOf(own, l10n, slices);
  const others = await stepsOf(other, l10n, slices);
  const first = firstDifference(steps, others);
  const note =
    first === undefined ? l10n.t('The steps are the same.') : l10n.t('First difference: step {0}', first + 1);
  const before = [
    ...own.head,
    '',
    ...(await figures(own, other, l10n, slices)),
    '',
    ...(await toolTable(own, other, l10n, slices)),
    `${heading(l10n.t('Steps'))} · ${note}`,
    '',
  ];
  const left = steps.length - maxSteps;
  const shown = steps.slice(0, maxSteps);
  const text = [
    ...before,
    ...shown.map((step) => step.text),
    ...(left > 0 ? [l10n.t('{0} more steps', left)] : []),
    '',
    heading(l10n.t('Durations')),
    '',
    ...(await slices.flatMap(shown, ({ took, text: step }) =>
      took === undefined ? [] : [`${duration(took).padStart(12)}  ${step.trim()}`],
    )),
    '',
  ].join('\n');
  return { text, steps: before.length, line: before.length + Math.min(first ?? 0, maxSteps) };
}

/** A step that two sides don't share. */
export interface StepDifference {
  /** From 1. */
  readonly step: number;
  /** Absent on the side that has ended before. */
  readonly own?: string;
  readonly other?: string;
}

/** The first step in which two sides differ; their times and what they used don't count. */
export async function stepDifference(own: ComparedSide, other: ComparedSide): Promise<StepDifference | undefined> {
  const slices = new Slices();
  const [steps, others] = [await stepsOf(own, english, slices), await stepsOf(other, english, slices)];
  const first = firstDifference(steps, others);
  if (first === undefined) return undefined;
  const [mine, theirs] = [steps[first]?.text, others[first]?.text];
  return {
    step: first + 1,
    ...(mine !== undefined && { own: mine.trim() }),
    ...(theirs !== undefined && { other: theirs.trim() }),
  };
}

function firstDifference(own: readonly Step[], other: readonly Step[]): number | undefined {
  const length = Math.max(own.length, other.length);
  for (let index = 0; index < length; index++) if (own[index]?.text !== other[index]?.text) return index;
  return undefined;
}

async function stepsOf(side: ComparedSide, l10n: Translator, slices: Slices): Promise<readonly Step[]> {
  const steps: Step[] = [];
  for (const entries of outline(side.spans)) {
    for (const step of stepsIn(entries, side, l10n)) steps.push(step);
    if (slices.isSpent) await slices.next();
  }
  return steps;
}

function stepsIn(entries: readonly Outlined[], { now, isTurn }: ComparedSide, l10n: Translator): readonly Step[] {
  const isAlone = (span: Span, depth: number): boolean => isTurn && span.kind === 'turn' && depth === 0;
  const steps = entries.flatMap(({ span, depth }): readonly Step[] => {
    if (isAlone(span, depth)) return [];
    const text = `${'  '.repeat(depth)}${stepText(span, maxTitle, l10n)}`;
    return [{ text, took: endOf(span, now) - span.startedAt }];
  });
  const root = entries[0]?.span;
  if (root?.kind !== 'turn') return steps;
  const text = l10n.t('End of turn: {0}', outcomeText(root, l10n, maxTitle));
  return [...steps, { text, ...(isTurn && { took: endOf(root, now) - root.startedAt }) }];
}

/** What the turns took and used, by name; the same names on each side. */
async function figures(
  own: ComparedSide,
  other: ComparedSide,
  l10n: Translator,
  slices: Slices,
): Promise<readonly string[]> {
  const { spans, now } = own;
  const parts = partsByTurn(spans);
  const turns = outerTurns(spans);
  const summaries = await slices.flatMap(turns, (turn) => summarizeTurn(turn, parts.get(turn.id) ?? [], now));
  const sum = (name: 'took' | 'model' | 'tools' | 'waited' | 'retries'): number =>
    summaries.reduce((total, summary) => total + summary[name], 0);
  const calls = spans.filter(({ kind }) => kind === 'tool');
  const otherUsage = usageRows(totalUsage(outerTurns(other.spans)), l10n);
  const rows: readonly (readonly [string, string])[] = [
    [l10n.t('Turns'), String(turns.length)],
    [l10n.t('Duration'), duration(sum('took'))],
    [l10n.t('Model'), duration(sum('model'))],
    [l10n.t('Tools'), duration(sum('tools'))],
    [l10n.t('Waited for you'), duration(sum('waited'))],
    [l10n.t('Retries'), String(sum('retries'))],
    [l10n.t('Tool calls'), String(calls.length)],
    [l10n.t('Failed tool calls'), String(calls.filter(hasFailed).length)],
    ...usageRows(totalUsage(turns), l10n).flatMap(([name, value], index): (readonly [string, string])[] =>
      value === undefined && otherUsage[index]?.[1] === undefined ? [] : [[name, value ?? '–']],
    ),
  ];
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, value]) => `${name.padEnd(width)}${value}`);
}

/** Calls, errors and total time of the tools of both sides, in the same rows and columns on each. */
async function toolTable(
  own: ComparedSide,
  other: ComparedSide,
  l10n: Translator,
  slices: Slices,
): Promise<readonly string[]> {
  const [totals, others] = [await toolTotals(own, slices), await toolTotals(other, slices)];
  const callsOf = (name: string): number => (totals.get(name)?.calls ?? 0) + (others.get(name)?.calls ?? 0);
  const all = [...new Set([...totals.keys(), ...others.keys()])];
  const sorted = await slices.sorted(all, (a, b) => callsOf(b) - callsOf(a) || a.localeCompare(b));
  const names = sorted.slice(0, maxTools);
  if (names.length === 0) return [];
  const width = Math.max(l10n.t('Tool').length, ...names.map(({ length }) => length));
  const row = (name: string, [calls, errors, total]: readonly [string, string, string]): string =>
    `${name.padEnd(width)}${calls.padStart(9)}${errors.padStart(9)}${total.padStart(13)}`;
  const rows = names.map((name) => {
    const { calls, errors, total } = totals.get(name) ?? { calls: 0, errors: 0, total: 0 };
    return row(name, [String(calls), String(errors), calls === 0 ? '–' : duration(total)]);
  });
  return [row(l10n.t('Tool'), [l10n.t('Calls'), l10n.t('Errors'), l10n.t('Total')]), ...rows, ''];
}

async function toolTotals({ spans, now }: ComparedSide, slices: Slices): Promise<ReadonlyMap<string, ToolTotal>> {
  const totals = new Map<string, ToolTotal>();
  await slices.forEach(spans, (span) => {
    if (span.kind !== 'tool') return;
    const name = shownLine(span.toolName ?? span.title, maxTool);
    const total = totals.get(name) ?? { calls: 0, errors: 0, total: 0 };
    totals.set(name, total);
    total.calls++;
    if (hasFailed(span)) total.errors++;
    total.total += endOf(span, now) - span.startedAt;
  });
  return totals;
}

function heading(text: string): string {
  return text.toLocaleUpperCase();
}
