import { boundedJson } from '../../log/boundedJson';
import { reaches } from '../../log/level';
import { oneLine } from '../../log/text';
import type { Words } from '../../log/translator';
import { inEnglish, t } from '../../log/translator';
import type { LimitFact, NoticeFact, RetryFact } from '../../work/activity';
import { retryLimitIn, tellsOfFallback, tellsOfRetry } from '../../work/troubleText';
import { objectOf, textOf } from '../../log/json';
import type { StderrLine } from '../../protocols/stderr/stderrLine';
import { readStderrLine } from '../../protocols/stderr/stderrLine';
import { readAnswer } from '../failures/errorAnswer';
import { classOfFailure, classOfText } from '../failures/failureClass';
import type { FailureClass } from '../failures/failurePatterns';
import { isReport } from '../failures/failurePatterns';
import type { Turn } from './turn';
import { addTrouble, isRetrying } from './turn';

/** How much of a line is examined, in characters. */
const maxLine = 16_384;
/** Failures of the model's provider or of the connection to it. */
const ofProvider: ReadonlySet<FailureClass> = new Set<FailureClass>([
  'authentication',
  'rate-limit',
  'network',
  'unavailable',
  'model',
  'context-length',
  'policy',
]);
/** Failures that are unrelated to the turn. */
const aside =
  /\b(?:models\.dev|telemetry|analytics|metrics?|statsig|sentry|otel|otlp|spans?|tracing|mcp|lsp|language server|plugins?|extensions?|marketplace|update(?:r| check)?|version check|npm|git|title|changelog|feedback|auto-?update|ripgrep|hooks?)\b/i;
const readsLikeError =
  /^\W*(?:\S+ ){0,4}?\W*(?:\w*(?:error|exception)\b|fatal|panic|failed\b|unexpected status|[✗✕❌])|\b[45]\d\d [A-Z]|\bE[A-Z]{5,}\b/i;
const beginsLikeError = /^\W*(?:\w*error|fatal)\b[^:]{0,40}: /i;
/** An agent's list of failed attempts. */
const attempts = /RetryError/;

/** What a line on standard error says about the model or its provider. */
export type StderrTrouble = {
  /** The message, with the error's fields. */
  readonly words: string;
  /** Whether the line states its level. */
  readonly isLevelled: boolean;
} & (
  | { readonly type: 'fallback' }
  | {
      readonly type: 'failure';
      readonly failure: FailureClass;
      /** Whether its words alone say so. */
      readonly isCertain: boolean;
      readonly isRetry: boolean;
      readonly isOfTurn: boolean;
    }
);

/** `undefined` for most lines: standard error is a log. */
export function readTrouble(line: string): StderrTrouble | undefined {
  const entry = readStderrLine(line.slice(0, maxLine));
  const isLevelled = entry.level !== undefined;
  if (entry.level !== undefined && !reaches(entry.level, 'warning')) return undefined;
  const text = entry.data === undefined ? entry.message : `${entry.message} ${boundedJson(entry.data, 2000)}`;
  if (isReport(text)) return undefined;
  const words = wordsOf(entry);
  if (isLevelled && tellsOfFallback(text)) return { type: 'fallback', words, isLevelled };
  const isError = entry.level === undefined ? beginsLikeError.test(entry.message) : reaches(entry.level, 'error');
  const byWords = classOfText(text);
  // A line that says it is an error needs fewer words, but only the end of its turn shows whether it mattered.
  const failure = byWords === 'other' && isError ? classOfFailure(text) : byWords;
  const isRetry = tellsOfRetry(text);
  if (!isRetry && !ofProvider.has(failure)) return undefined;
  const isAside = aside.test(text);
  const isOfTurn = !isAside && (isLevelled || isRetry || readsLikeError.test(entry.message));
  return { type: 'failure', words, isLevelled, failure, isCertain: byWords === failure, isRetry, isOfTurn };
}

/** Notes in the turn that its model failed or is being retried, according to standard error. */
export function noteStderr(turn: Turn, trouble: StderrTrouble | undefined): void {
  if (trouble?.type !== 'failure' || !trouble.isOfTurn) return;
  const { words, failure, isRetry } = trouble;
  const isAttempt = isRetry && tellsOfRetry(words) && !attempts.test(words);
  // The cause says more than the fact that it is retrying.
  const before = failure === 'other' && isRetrying(turn) ? turn.trouble?.message : undefined;
  if (isAttempt) addRetry(turn, retryLimitIn(words));
  addTrouble(turn, { message: before ?? words, isFinal: !isAttempt, isOnStderr: true });
}

export function noteRetry(turn: Turn, { change, message, details, reason, isOfTurn, maxRetries }: RetryFact): void {
  if (change === 'retrying') addRetry(turn, maxRetries ?? retryLimitIn(message));
  if (isOfTurn === true && turn.trouble?.isEnd === true) return;
  const reported = reason ?? details ?? message;
  const why =
    reported ?? (isOfTurn === true ? (turn.trouble?.message ?? 'the agent reports a system error') : undefined);
  const isFinal = change === 'gave-up';
  if (why !== undefined) addTrouble(turn, { message: why, isFinal, ...(isOfTurn === true && { isEnd: true }) });
  else if (turn.trouble) turn.trouble = { ...turn.trouble, isFinal: true };
}

function addRetry(turn: Turn, limit: number | undefined): void {
  turn.retries++;
  turn.maxRetries = limit ?? turn.maxRetries;
}

/** `Usage limit reached (weekly), until …`. */
export function limitText({ state, window, resetsAt }: LimitFact): Words {
  const limit = state === 'near' ? t('Near the usage limit') : t('Usage limit reached');
  const named = window === undefined ? limit : t('{0} ({1})', limit, oneLine(window, 60));
  return resetsAt === undefined || resetsAt <= 0 ? named : t('{0}, until {1}', named, new Date(resetsAt).toISOString());
}

/** A limit that is reported between two attempts doesn't end them. */
export function noteLimit(turn: Turn, fact: LimitFact): void {
  if (fact.state === 'reached' && !isRetrying(turn)) {
    addTrouble(turn, { message: inEnglish(limitText(fact)), isFinal: true });
  }
}

/** Notes an error that the agent shows as an answer. */
export function noteShownError(turn: Turn, { about, text, isCertain }: NoticeFact): void {
  if (about !== 'error' || (isCertain !== true && readAnswer(text, '') === 'no')) return;
  addTrouble(turn, { message: text, isFinal: true });
}

function wordsOf({ message, data }: StderrLine): string {
  const errors = Object.entries(objectOf(data))
    .filter(([name]) => /error|cause|reason|err\b/i.test(name))
    .flatMap(([, value]) => textOf(value) ?? textOf(objectOf(value)['message']) ?? []);
  return [message, ...errors.slice(0, 2)].join(': ');
}
