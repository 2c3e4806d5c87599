import { rankOf, reaches } from '../../../log/level';
import { localTime } from '../../../log/logLine';
import type { LogRecord } from '../../../log/record';
import type { Translator, Words } from '../../../log/translator';
import { translated } from '../../../log/translator';
import { shownText, withoutMarks } from '../../../log/text';
import type { DiagnosisCode, DiagnosisData } from '../../../diagnosis/diagnosis';
import { sentence, shownMessage } from '../../../diagnosis/diagnosisText';
import type { RunView } from '../../../runs/runView';
import { dataNode } from './dataTree';
import type { EvidenceLink, ProblemButton, ProblemDetails, RecordDetails } from '../messages';
import { oneShownLine, sessionName } from '../rows';

/** Maximum length of a text in the details, in UTF-16 units. */
export const maxText = 256 * 1024;
const maxEvidence = 20;
const maxEvidenceText = 300;
/** How many records before a problem to look through for what may explain it, and how many to show. */
const [maxLooked, maxBefore] = [200, 5];
const promptLogger = 'prompt';

/** Title and cause of a kind of problem. */
export interface ProblemText {
  readonly title: string;
  readonly why: string;
}

/** Localized texts, and the buttons of problems. */
export interface DetailsOptions {
  textOf(code: DiagnosisCode): ProblemText | undefined;
  readonly l10n: Translator;
  buttonsOf(code: DiagnosisCode): readonly ProblemButton[];
}

/** The content of the details pane. */
export function recordDetails(record: LogRecord, run: RunView, options: DetailsOptions): RecordDetails {
  const { seq, receivedAt, time, level, kind, sessionId, logger = '', data } = record;
  const message = shownMessage(record, options.l10n);
  const problem = kind === 'diagnosis' ? problemDetails(record, run, options) : undefined;
  return {
    seq,
    at: receivedAt,
    time: localTime(receivedAt),
    ownTime: time === undefined || Math.abs(time - receivedAt) <= 1000 ? '' : localTime(time),
    level: rankOf(level),
    kind,
    session: sessionName(run.log, sessionId),
    logger: oneShownLine(logger, 500),
    message: shownText(message.slice(0, maxText)),
    missing: Math.max(0, message.length - maxText),
    ...(data !== undefined && { data: dataNode('', data) }),
    hasRaw: run.log.store.raw(seq) !== undefined,
    hasJournal: run.journal?.path !== undefined,
    ...(problem && { problem }),
  };
}

/** `undefined` for a diagnosis of a kind that this version doesn't know. */
function problemDetails(record: LogRecord, run: RunView, options: DetailsOptions): ProblemDetails | undefined {
  const { words } = record;
  const { code, count, since, evidence } = record.data as DiagnosisData;
  const known = words && options.textOf(code);
  if (!known) return undefined;
  const shown = (words: Words): string => withoutMarks(translated(words, options.l10n));
  return {
    ...known,
    what: shownText(sentence(shown(words.what)).slice(0, maxText)),
    advice: words.advice ? shownText(shown(words.advice)) : '',
    count,
    since,
    buttons: options.buttonsOf(code),
    evidence: evidence.slice(0, maxEvidence).flatMap((seq) => evidenceLink(seq, run, options.l10n)),
    before: warningsBefore(record, evidence, run).flatMap((seq) => evidenceLink(seq, run, options.l10n)),
  };
}

function evidenceLink(seq: number, { log }: RunView, l10n: Translator): EvidenceLink[] {
  const record = log.store.get(seq);
  if (!record) return [];
  const { receivedAt: at, level } = record;
  return [
    { seq: record.seq, at, level: rankOf(level), message: oneShownLine(shownMessage(record, l10n), maxEvidenceText) },
  ];
}

/** The newest warnings and errors between the latest prompt and a problem, in its session or in none, such as standard error. */
function warningsBefore(problem: LogRecord, evidence: readonly number[], { log }: RunView): readonly number[] {
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
export function rawLine({ seq, sessionId }: LogRecord, { log }: RunView): string | undefined {
  const raw = log.store.raw(seq);
  return raw === undefined ? undefined : log.store.sessionIds.inText(raw, sessionId);
}
