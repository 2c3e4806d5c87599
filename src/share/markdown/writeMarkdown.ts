import type { DiagnosisData } from '../../diagnosis/diagnosis';
import { problemText } from '../../diagnosis/problemText';
import { rankOf, reaches } from '../../text/level';
import { issueText } from '../../text/markdown';
import { oneLine, duration } from '../../text/text';
import { english, inEnglish } from '../../text/translator';
import type { Outlined } from '../../timeline/outline';
import { outline } from '../../timeline/outline';
import { endOf } from '../../timeline/span';
import { outerTurns, totalUsage } from '../../timeline/totalUsage';
import { usageDetails } from '../../timeline/usageText';
import type { RunProtocol } from '../../wire/protocol';
import { isProtocol, protocolNames } from '../../wire/protocol';
import { describeTermination } from '../../wire/termination';
import { hasFailed } from '../../work/outcome';
import { missingTexts } from '../missingTexts';
import type { SharedContent, SharedMessage, SharedRecord, SharedRun } from '../sharedRun';
import type { Detail, TurnContext, TurnParts } from './markdownTurn';
import { fenced, folded, turnMarkdown } from './markdownTurn';

/** The longest text that GitHub takes for an issue or a comment, in UTF-16 units. */
export const maxMarkdown = 65_536;
/** Parts of it: problems, standard error, how it ended, and messages. */
const maxProblems = 20_000;
const maxStderr = 4000;
const maxEnd = 4000;
const maxMessages = 12_000;
/** Kept for notes. */
const room = 1500;

const maxTurns = 500;
const maxText = 400;
const maxEvidence = 3;

/** From all to least: the first with which all turns fit is taken. */
const details: readonly Detail[] = [
  { text: 8000, items: 200 },
  { text: 2000, items: 100 },
  { text: 500, items: 100 },
  { text: 0, items: 50 },
];

/**
 * A reviewed run as Markdown for an issue or a pull request, in English: what went wrong, how it ended, then its turns, which can be unfolded. No
 * text of the run becomes markup, a mention, a reference or a link. At most as long as GitHub takes; what didn't fit is said.
 */
export function markdownOf(run: SharedRun): string {
  const left = new Set(run.cut.flatMap((cut) => (cut.type === 'content' ? [cut.content] : [])));
  const problems = problemSection(run);
  const rest = [endSection(run), stderrSection(run, left)].filter((part) => part !== '');
  const used = [headOf(run), noteOf(run, []), problems, ...rest].join('\n\n').length + room;
  const turns = turnSection(run, left, maxMarkdown - used);
  const messages = messageSection(run, left, Math.min(maxMessages, maxMarkdown - used - turns.text.length));
  const note = noteOf(run, [...turns.missing, ...messages.missing]);
  return `${[headOf(run), note, problems, ...rest, turns.text, messages.text].filter((part) => part !== '').join('\n\n')}\n`;
}

function headOf({ name, protocol, startedAt, spans }: SharedRun): string {
  const turns = outerTurns(spans);
  const calls = spans.filter(({ kind }) => kind === 'tool');
  const usage = totalUsage(turns);
  const models = [...new Set(turns.flatMap(({ model }) => model ?? []))];
  const lastEnd = Math.max(startedAt, ...turns.map((turn) => endOf(turn, turn.startedAt)));
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Protocol', isProtocol(protocol) ? protocolNames[protocol] : 'saved session'],
    ['Turns', turns.length === 0 ? undefined : counted(turns.length, turns.filter(hasFailed).length)],
    ['Tool calls', calls.length === 0 ? undefined : counted(calls.length, calls.filter(hasFailed).length)],
    ['Models', models.length === 0 ? undefined : models.slice(0, 10).join(', ')],
    ['Used', usage && usageDetails(usage)],
  ];
  return [
    `# ${issueText(oneLine(name, maxText))}`,
    '',
    `- Started: ${new Date(startedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC${turns.length === 0 ? '' : `, last turn ended ${duration(lastEnd - startedAt)} later`}`,
    ...rows.flatMap(([label, value]) =>
      value === undefined ? [] : [`- ${label}: ${issueText(oneLine(value, maxText))}`],
    ),
  ].join('\n');
}

function counted(count: number, failed: number): string {
  return failed === 0 ? String(count) : `${count}, ${failed} failed`;
}

/** What isn't in it. */
function noteOf({ cut }: SharedRun, missing: readonly string[]): string {
  const all = [...missingTexts(cut, english.t.bind(english)), ...missing];
  const head = 'Shared with Agent Logs. Known secrets were redacted.';
  return all.length === 0 ? head : `${head}\n\n${all.map((text) => `- ${text}`).join('\n')}`;
}

/** The newest record of each problem that still holds, the worst first. */
function problemSection({ records, protocol }: SharedRun): string {
  const series = new Map<string, SharedRecord>();
  for (const record of records) {
    const { kind, level, logger = '', sessionId = '', settledBy, seq } = record;
    if (kind !== 'diagnosis' || settledBy !== undefined || !reaches(level, 'warning')) continue;
    series.set(`${logger} ${sessionId} ${dataOf(record).since ?? seq}`, record);
  }
  if (series.size === 0) return '## What went wrong\n\nNo problem was found.';
  const bySeq = new Map(records.map((record) => [record.seq, record]));
  const worstFirst = [...series.values()].sort((a, b) => rankOf(b.level) - rankOf(a.level));
  const texts = worstFirst.map((record) => shownProblem(record, bySeq, protocol));
  const shown = fitting(texts, maxProblems);
  const more = texts.length - shown.length;
  return ['## What went wrong', ...shown, ...(more > 0 ? [`${more} more problems are left out.`] : [])].join('\n\n');
}

function shownProblem(record: SharedRecord, bySeq: ReadonlyMap<number, SharedRecord>, protocol: RunProtocol): string {
  const { level, logger = '', message } = record;
  const { evidence = [], advice: ownAdvice } = dataOf(record);
  const { title, why, advice: usual } = problemText(logger, protocol) ?? {};
  const advice = ownAdvice ?? (usual && inEnglish(usual));
  const what = advice !== undefined && message.endsWith(advice) ? message.slice(0, -advice.length) : message;
  const shown = evidence.flatMap((seq) => bySeq.get(seq) ?? []).slice(0, maxEvidence);
  return [
    `### ${title ? inEnglish(title) : issueText(logger)} (${level})`,
    issueText(oneLine(what, maxText)),
    ...(why ? [inEnglish(why)] : []),
    ...(advice === undefined ? [] : [`**What to do:** ${issueText(oneLine(advice, maxText))}`]),
    ...(shown.length === 0
      ? []
      : [`**Evidence:**\n\n${fenced(shown.map(evidenceLine).join('\n'), maxEvidence * maxText)}`]),
  ].join('\n\n');
}

function evidenceLine({ seq, receivedAt, level, logger, message }: SharedRecord): string {
  const by = logger === undefined ? '' : ` ${oneLine(logger, 60)}:`;
  return `#${seq} ${new Date(receivedAt).toISOString()} ${level}${by} ${oneLine(message, maxText)}`;
}

function dataOf({ data }: SharedRecord): Partial<DiagnosisData> {
  return data ?? {};
}

/** How it ended, unless nothing but the reading did. */
function endSection({ name, protocol, termination }: SharedRun): string {
  if (!termination || protocol === 'saved' || termination.terminatedBy === 'client') return '';
  return `## How it ended\n\n${fenced(describeTermination(oneLine(name, 60), termination), maxEnd)}`;
}

/** The last lines. */
function stderrSection({ records }: SharedRun, left: ReadonlySet<SharedContent>): string {
  const lines = left.has('stderr') ? [] : records.filter((record) => record.kind === 'stderr');
  if (lines.length === 0) return '';
  const shown = fitting(
    lines.toReversed().map(({ message }) => oneLine(message, maxText)),
    maxStderr,
  ).toReversed();
  const of = shown.length === lines.length ? '' : `, the last ${shown.length} of ${lines.length} lines`;
  return folded(`Standard error${of}`, fenced(shown.join('\n'), maxStderr));
}

interface Section {
  readonly text: string;
  /** What isn't in it, in sentences. */
  readonly missing: readonly string[];
}

function turnSection(run: SharedRun, left: ReadonlySet<SharedContent>, max: number): Section {
  const all = turnsOf(run);
  if (all.length === 0) return { text: '', missing: [] };
  const context: TurnContext = { left, hasSessions: run.sessions.length > 1, now: lastOf(run) };
  const turns = all.slice(-maxTurns);
  const least = details.length - 1;
  for (const [index, detail] of details.entries()) {
    const shown = fitting(newestFirst(turns, context, detail), max).toReversed();
    if (shown.length < turns.length && index < least) continue;
    const older = all.length - shown.length;
    return {
      text: ['## Turns', ...shown].join('\n\n'),
      missing: [
        ...(index === 0
          ? []
          : [
              detail.text === 0
                ? 'Prompts, answers and outputs of tools didn’t fit.'
                : `Texts are cut after ${detail.text} characters.`,
            ]),
        ...(older === 0 ? [] : [`Older turns that didn’t fit: ${older}`]),
      ],
    };
  }
  return { text: '', missing: [] };
}

function* newestFirst(turns: readonly TurnParts[], context: TurnContext, detail: Detail): Generator<string> {
  for (const turn of turns.toReversed()) yield turnMarkdown(turn, context, detail);
}

/** Outermost steps in order, each with its records: those of its session up to its last one. */
function turnsOf({ spans, records }: SharedRun): readonly TurnParts[] {
  const lists = outline(spans).map((parts) => ({ parts, records: [] as SharedRecord[] }));
  const owners = new Map<string, typeof lists>();
  for (const list of lists) {
    for (const id of new Set(list.parts.map(({ span }) => span.sessionId ?? ''))) {
      if (!owners.get(id)?.push(list)) owners.set(id, [list]);
    }
  }
  // In each session, records come in the order of its turns.
  const at = new Map<string, number>();
  for (const record of records) {
    const id = record.sessionId ?? '';
    const own = owners.get(id) ?? lists;
    let index = at.get(id) ?? 0;
    while (index < own.length - 1 && isPast(own[index]?.parts[0], own[index + 1]?.parts[0], record)) index++;
    at.set(id, index);
    own[index]?.records.push(record);
  }
  return lists.map(({ parts, records: own }, index) => ({ number: index + 1, outline: parts, records: own }));
}

/** A prompt is at the end of the turn before it, too. */
function isPast(turn: Outlined | undefined, next: Outlined | undefined, { seq, content }: SharedRecord): boolean {
  return (turn?.span.lastSeq ?? 0) < seq || (content === 'prompt' && (next?.span.firstSeq ?? Infinity) <= seq);
}

function lastOf({ records, startedAt }: SharedRun): number {
  return records.at(-1)?.receivedAt ?? startedAt;
}

/** The newest bodies of messages. */
function messageSection({ messages }: SharedRun, left: ReadonlySet<SharedContent>, max: number): Section {
  const bodies = left.has('wire')
    ? []
    : messages.filter(({ message, answer }) => message !== undefined || answer !== undefined);
  if (bodies.length === 0) return { text: '', missing: [] };
  const shown = fitting(bodies.toReversed().map(messageLines), max - room).toReversed();
  const missing = bodies.length - shown.length;
  return {
    text: shown.length === 0 ? '' : folded(`Messages, the last ${shown.length}`, fenced(shown.join('\n'), maxMessages)),
    missing: missing === 0 ? [] : [`Older messages that didn’t fit: ${missing}`],
  };
}

function messageLines({ direction, message, answer }: SharedMessage): string {
  const [there, back] = direction === 'out' ? ['→', '←'] : ['←', '→'];
  return [
    ...(message === undefined ? [] : [`${there} ${oneLine(message, maxText)}`]),
    ...(answer === undefined ? [] : [`${back} ${oneLine(answer, maxText)}`]),
  ].join('\n');
}

/** The first texts that fit together, with empty lines between them. Asks for no more of them. */
function fitting(texts: Iterable<string>, max: number): readonly string[] {
  const shown: string[] = [];
  let length = 0;
  for (const text of texts) {
    length += text.length + 2;
    if (length > max) break;
    shown.push(text);
  }
  return shown;
}
