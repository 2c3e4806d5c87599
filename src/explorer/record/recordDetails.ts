import { rankOf, reaches } from '../../text/level';
import { localTime } from '../../text/format';
import type { LogRecord } from '../../text/record';
import type { Translator, Words } from '../../text/translator';
import { translated } from '../../text/translator';
import { shownText, withoutMarks } from '../../text/text';
import type { DiagnosisData } from '../../diagnosis/diagnosis';
import { sentence, shownMessage } from '../../diagnosis/diagnosisText';
import type { ExplorerRun } from '../../runLog/explorerRun';
import { kindNames } from '../../text/kindNames';
import type { CutText, ProblemButton, ProblemDetails, RecordDetails } from '../page/messages';
import { problemText } from '../../diagnosis/problemText';
import { oneShownLine, sessionName } from '../page/rows';
import { changedRows } from '../turns/changedRows';
import type { ChangedSpan } from '../turns/turnMessages';
import { dataNode } from './dataTree';
import type { EvidenceLink } from './evidenceLink';

/** Maximum length of a text in the details, in UTF-16 units. */
const maxText = 256 * 1024;
const maxEvidence = 20;
const maxEvidenceText = 300;
/** How many records before a problem to look through for what may explain it, and how many to show. */
const [maxLooked, maxBefore] = [200, 5];
const promptLogger = 'prompt';

export type ButtonsOf = (problem: DiagnosisData) => readonly ProblemButton[];

/** Text ready to be shown, up to a limit, and how many characters were cut off. */
export function cutText(text: string): CutText {
  return { text: shownText(text.slice(0, maxText)), missing: Math.max(0, text.length - maxText) };
}

/** The content of the details pane. */
export function recordDetails(
  record: LogRecord,
  run: ExplorerRun,
  buttonsOf: ButtonsOf,
  l10n: Translator,
): RecordDetails {
  const { seq, receivedAt, time, level, kind, sessionId, logger = '', data } = record;
  const { text: message, missing } = cutText(shownMessage(record, l10n));
  const changed = changedBy(seq, run, l10n);
  const problem = kind === 'diagnosis' ? problemDetails(record, run, buttonsOf, l10n) : undefined;
  return {
    seq,
    time: localTime(receivedAt),
    ownTime: time === undefined || Math.abs(time - receivedAt) <= 1000 ? '' : localTime(time),
    level: rankOf(level),
    kind: translated(kindNames[kind], l10n),
    session: sessionName(run.log, sessionId),
    logger: oneShownLine(logger, 500),
    message,
    missing,
    ...(data !== undefined && { data: dataNode('', data) }),
    hasRaw: run.log.store.raw(seq) !== undefined,
    hasJournal: run.journal?.path !== undefined,
    ...(changed && { changed }),
    ...(problem && { problem }),
  };
}

/** `undefined` for a diagnosis of a kind that this version doesn't know. */
function problemDetails(
  record: LogRecord,
  run: ExplorerRun,
  buttonsOf: ButtonsOf,
  l10n: Translator,
): ProblemDetails | undefined {
  const { words } = record;
  const data = record.data as DiagnosisData;
  const { code, count, since, evidence, settles = [] } = data;
  const settledBy = run.log.settledBy(record.seq);
  const known = words && problemText(code, run.protocol);
  if (!known) return undefined;
  const { title, why, advice } = known;
  const link = (seq: number): EvidenceLink[] => evidenceLink(seq, run, l10n);
  const shown = (words: Words): string => withoutMarks(translated(words, l10n));
  return {
    number: run.log.problems.numberOf(record.seq),
    title: translated(title, l10n),
    why: translated(why, l10n),
    what: cutText(sentence(shown(words.what))).text,
    advice: words.advice ? shownText(shown(words.advice)) : advice ? translated(advice, l10n) : '',
    count,
    since,
    buttons: buttonsOf(data),
    settledBy: settledBy === undefined ? [] : link(settledBy),
    // A failed start says the same.
    evidence: [...settles, ...evidence.filter((seq) => run.log.store.get(seq)?.message !== record.message)]
      .slice(0, maxEvidence)
      .flatMap(link),
    change: changeBefore(record, evidence, run, l10n).flatMap(({ seq, files }) =>
      link(seq).map((one) => ({ ...one, message: files.map(({ path, what }) => `${path} (${what})`).join(', ') })),
    ),
    before: warningsBefore(record, evidence, run).flatMap(link),
  };
}

/** The tool call of a record that changed files. */
function changedBy(seq: number, { log }: ExplorerRun, l10n: Translator): ChangedSpan | undefined {
  const span = log
    .spans({ kinds: ['tool'] })
    .find(({ firstSeq, lastSeq, changes }) => changes && (firstSeq === seq || lastSeq === seq));
  return span && { id: span.id, files: changedRows([span], l10n).files };
}

/** The last change before a command failed, in its session: it may be why. */
function changeBefore(
  { sessionId, seq }: LogRecord,
  evidence: readonly number[],
  { log }: ExplorerRun,
  l10n: Translator,
): readonly { readonly seq: number; readonly files: ChangedSpan['files'] }[] {
  const calls = log.spans({ kinds: ['tool'] }).filter((span) => span.sessionId === sessionId);
  const failed = calls.findLast(({ lastSeq, detail = '' }) => evidence.includes(lastSeq) && /^exit \d/.test(detail));
  if (!failed) return [];
  const last = calls.findLast(({ changes, lastSeq }) => changes && lastSeq <= Math.min(seq, failed.firstSeq));
  return last ? [{ seq: last.lastSeq, files: changedRows([last], l10n).files }] : [];
}

function evidenceLink(seq: number, { log }: ExplorerRun, l10n: Translator): EvidenceLink[] {
  const record = log.store.get(seq);
  if (!record) return [];
  const { receivedAt: at, level } = record;
  return [
    {
      seq: record.seq,
      at,
      level: rankOf(level),
      message: oneShownLine(shownMessage(record, l10n), maxEvidenceText),
    },
  ];
}

/** The newest warnings and errors between the latest prompt and a problem, in its session or in none, such as standard error. */
function warningsBefore(problem: LogRecord, evidence: readonly number[], { log }: ExplorerRun): readonly number[] {
  const found: number[] = [];
  for (let seq = problem.seq - 1; seq >= problem.seq - maxLooked && found.length < maxBefore; seq--) {
    const record = log.store.get(seq);
    if (!record || !isRelated(record, problem)) continue;
    if (record.logger === promptLogger) break;
    if (record.kind !== 'diagnosis' && reaches(record.level, 'warning') && !evidence.includes(seq)) found.unshift(seq);
  }
  return found;
}

function isRelated({ sessionId }: LogRecord, problem: LogRecord): boolean {
  return sessionId === undefined || problem.sessionId === undefined || sessionId === problem.sessionId;
}

/** The raw line with shortened session ids, because anyone with an id could resume the session. */
export function rawLine({ seq, sessionId }: LogRecord, { log }: ExplorerRun): string | undefined {
  const raw = log.store.raw(seq);
  return raw === undefined ? undefined : log.store.sessionIds.inText(raw, sessionId);
}
