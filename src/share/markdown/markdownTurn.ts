import { boundedJson } from '../../text/boundedJson';
import { reaches } from '../../text/level';
import { issueText, markdownBlock, markdownCode } from '../../text/markdown';
import { shortId } from '../../text/sessionLabel';
import { cutAnywhere, duration, oneLine, shownText } from '../../text/text';
import type { Outlined } from '../../timeline/outline';
import { outcomeText, titleOf } from '../../timeline/outline';
import { endOf } from '../../timeline/span';
import { summarizeTurn, summaryText } from '../../timeline/turnSummary';
import { outcomeGlyphs } from '../../work/outcome';
import { classOfRecord } from '../review/content';
import type { SharedContent, SharedRecord, SharedSpan } from '../sharedRun';

/** How much of each turn is shown. */
export interface Detail {
  /** Maximum length of a prompt, an answer, or what a tool gave; 0 to leave these texts out. In UTF-16 units. */
  readonly text: number;
  /** How many of a turn's steps and texts are shown, the newest. */
  readonly items: number;
}

/** A turn, or another outermost step, with all that happened in it. */
export interface TurnParts {
  /** From 1, among the turns that are there. */
  readonly number: number;
  /** First the turn, then what is in it. */
  readonly outline: readonly Outlined[];
  /** In their order. */
  readonly records: readonly SharedRecord[];
}

/** What all turns of a run share. */
export interface TurnContext {
  readonly left: ReadonlySet<SharedContent>;
  /** Whether the run has several sessions. */
  readonly hasSessions: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const maxTitle = 160;
const maxMessage = 400;
/** How many tools that run at the same time are looked at for a record. */
const maxParallel = 50;

/** What is in a turn, in the order of the records. */
interface Item {
  readonly seq: number;
  readonly markdown: () => Shown;
}

interface Shown {
  readonly text: string;
  /** Whether it is an item of a list. */
  readonly isListed?: boolean;
}

/** A turn as a part of an issue that can be unfolded: its prompt, its steps with what they gave, its answers, and what was logged as a warning. */
export function turnMarkdown(turn: TurnParts, context: TurnContext, detail: Detail): string {
  const [root, ...below] = turn.outline;
  if (!root) return '';
  const steps = root.span.kind === 'turn' ? below : turn.outline;
  const { outputs, rest } = outputsOf(steps, turn.records);
  const items: readonly Item[] = [
    ...rest.flatMap((record) => recordItem(record, context, detail)),
    ...steps.map((step): Item => ({
      seq: step.span.lastSeq,
      markdown: () => stepMarkdown(step, outputs.get(step.span.id) ?? [], context, detail),
    })),
  ].sort((a, b) => a.seq - b.seq);
  const shown = items.slice(-detail.items);
  const left = items.length - shown.length;
  const note: readonly Shown[] = left === 0 ? [] : [{ text: `${left} earlier steps and texts are left out.` }];
  const body = joined([...note, ...shown.map(({ markdown }) => markdown())]);
  return folded(headOf(turn, root.span, below, context), body);
}

/** Lines of a list follow one another; everything else has an empty line before it. */
function joined(items: readonly Shown[]): string {
  return items
    .map(({ text, isListed = false }, index) => {
      const before = index === 0 ? '' : isListed && items[index - 1]?.isListed === true ? '\n' : '\n\n';
      return before + text;
    })
    .join('');
}

/** Something that can be unfolded. The summary is HTML on one line. */
export function folded(summary: string, body: string): string {
  return `<details><summary>${summary}</summary>\n\n${body === '' ? 'Nothing else is in it.' : body}\n\n</details>`;
}

/** A text of any origin in HTML, where issue trackers look for no mentions and links. */
function htmlCode(text: string, max: number): string {
  const line = oneLine(text, max).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return line === '' ? '' : `<code>${line}</code>`;
}

function headOf(
  { number }: TurnParts,
  span: SharedSpan,
  below: readonly Outlined[],
  { hasSessions, now }: TurnContext,
): string {
  const { detail, ...plain } = span;
  const { kind, sessionId, outcome } = plain;
  const parts = below.map((part) => part.span);
  const title = htmlCode(kind === 'turn' ? span.title : titleOf(span, maxTitle), maxTitle);
  const took =
    kind === 'turn' ? summaryText(summarizeTurn(span, parts, now)) : duration(endOf(span, now) - span.startedAt);
  const state = outcomeText(plain);
  return [
    `${glyphOf(span)} ${kind === 'turn' ? `Turn ${number} ` : ''}${title}`.trim(),
    outcome === 'error' && detail !== undefined ? `${state} ${htmlCode(detail, maxTitle)}` : state,
    took,
    ...(hasSessions && sessionId !== undefined ? [`session ${htmlCode(shortId(sessionId), 20)}`] : []),
  ].join(' · ');
}

function glyphOf({ endedAt, outcome = 'ok' }: SharedSpan): string {
  return outcomeGlyphs[endedAt === undefined ? 'open' : outcome];
}

/** What each tool gave, by the ID of its step, and the other records. */
function outputsOf(
  steps: readonly Outlined[],
  records: readonly SharedRecord[],
): { readonly outputs: ReadonlyMap<string, readonly SharedRecord[]>; readonly rest: readonly SharedRecord[] } {
  const outputs = new Map<string, SharedRecord[]>();
  const rest: SharedRecord[] = [];
  const tools = steps.flatMap(({ span }) => (span.kind === 'tool' ? [span] : [])).sort((a, b) => a.lastSeq - b.lastSeq);
  let ended = 0;
  for (const record of records) {
    while ((tools[ended]?.lastSeq ?? Infinity) < record.seq) ended++;
    const step =
      record.content === 'tool'
        ? tools
            .slice(ended, ended + maxParallel)
            .find(({ firstSeq, sessionId }) => firstSeq <= record.seq && sessionId === record.sessionId)
        : undefined;
    if (!step) rest.push(record);
    else if (!outputs.get(step.id)?.push(record)) outputs.set(step.id, [record]);
  }
  return { outputs, rest };
}

function stepMarkdown(
  { span, depth }: Outlined,
  outputs: readonly SharedRecord[],
  { left, now }: TurnContext,
  detail: Detail,
): Shown {
  const { detail: why, ...plain } = span;
  const { kind, outcome } = plain;
  const title = titleOf(span, maxTitle);
  const state = outcomeText(plain);
  const took = duration(endOf(span, now) - span.startedAt);
  const name = `${depth > 1 ? '↳ ' : ''}${glyphOf(span)} ${kind === 'tool' || title === kind ? '' : `${kind} `}`;
  const failure = outcome === 'error' ? why : undefined;
  const body = left.has('tools') || detail.text === 0 ? [] : outputs.map((record) => outputText(record, detail.text));
  if (body.length === 0) {
    const because = failure === undefined ? '' : ` ${markdownCode(failure, maxTitle)}`;
    return { isListed: true, text: `- ${name}${markdownCode(title)} · ${state}${because} · ${took}` };
  }
  const because = failure === undefined ? '' : ` ${htmlCode(failure, maxTitle)}`;
  const summary = `${name}${htmlCode(title, maxTitle)} · ${state}${because} · ${took}`;
  return { text: folded(summary, body.join('\n\n')) };
}

function outputText({ message, data }: SharedRecord, max: number): string {
  return [
    fenced(message, max),
    ...(data === undefined ? [] : [markdownBlock(shownText(boundedJson(data, max)), 'json')]),
  ].join('\n\n');
}

/** A text of any origin as a block. */
export function fenced(text: string, max: number): string {
  return markdownBlock(shownText(cutAnywhere(text, max)), 'text');
}

const names: Readonly<Partial<Record<SharedContent, string>>> = { prompts: 'Prompt', answers: 'Answer', tools: 'Tool' };

/** A prompt, an answer or a tool's output, if it is included; or what was logged as a warning or worse. */
function recordItem(record: SharedRecord, { left }: TurnContext, { text: max }: Detail): readonly Item[] {
  const { seq, kind, level, logger, message } = record;
  const content = classOfRecord(record);
  const name = content === 'free' ? undefined : names[content];
  if (content !== 'free' && name !== undefined) {
    if (left.has(content) || max === 0 || !reaches(level, 'info')) return [];
    const title = logger === 'thought' ? 'Thought' : name;
    return [{ seq, markdown: () => ({ text: `**${title}**\n\n${fenced(message, max)}` }) }];
  }
  if (content !== 'free' || kind === 'diagnosis' || !reaches(level, 'warning')) return [];
  const by = logger === undefined ? '' : ` ${markdownCode(logger, 60)}`;
  return [
    { seq, markdown: () => ({ isListed: true, text: `- ${level}${by}: ${issueText(oneLine(message, maxMessage))}` }) },
  ];
}
