import { ownHead } from '../../text/ownText';
import { boundedJson } from '../../text/boundedJson';
import { parseLevel, reaches } from '../../text/level';
import { retryLimitIn, tellsOfFallback, tellsOfRetry } from '../../work/troubleText';
import type { JsonObject } from '../../text/json';
import { objectOf, textOf } from '../../text/json';
import { messageText } from '../../protocols/oddFields';
import type { SaidLine, StderrEntry } from '../../work/facts';
import { classOfFailure, classOfText } from '../../work/failures/failureClass';
import type { FailureClass } from '../../work/failures/failurePatterns';
import { isReport } from '../../work/failures/failurePatterns';
import { ofConnection } from '../../work/failures/ranking';
import type { Turn } from '../../work/turn';
import { isRetrying } from '../../work/turn';
import type { Work } from '../../work/work';

/** Failures that end a turn: of the model's provider, of the connection to it, or of this machine. */
const ofTurns: ReadonlySet<FailureClass> = new Set<FailureClass>([
  ...ofConnection,
  'disk-full',
  'out-of-memory',
  'tool-schema',
  'history',
  'authentication',
  'rate-limit',
  'overloaded',
  'unavailable',
  'model',
  'context-length',
  'policy',
]);
/** Failures that are unrelated to the turn. */
const aside =
  /\b(?:models\.dev|telemetry|analytics|metrics?|statsig|sentry|otel|otlp|opentelemetry|spans?|tracing|mcp|lsp|language server|plugins?|extensions?|marketplace|update(?:r| check)?|version check|npm|git|title|changelog|feedback|auto-?update|ripgrep|hooks?)\b/i;
const errorWord =
  /^(?:\S+ ){0,4}?[^\w✗✕❌]*(?:(?:\w[\w.]*)?(?:error|exception)\b|fatal|panic|failed\b|unexpected status|[✗✕❌])/i;
const errorCode = /\b[45]\d\d [A-Z]|\bE[A-Z]{5,}\b/i;
const beginsLikeError = /^\W*(?:\w*error|fatal)\b[^:]{0,40}: /i;
/** How much of a log message is searched, in characters. */
const maxLog = 4000;
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

/** What an entry on standard error says about the model or its provider; nothing for most: standard error is a log. */
export function readTroubles({ said }: StderrEntry): readonly StderrTrouble[] {
  return said.flatMap((line) => readTrouble(line, said[0]) ?? []);
}

/** @param head the first line of its entry: the lines below it tell the causes of its error */
export function readTrouble(entry: SaidLine, head = entry): StderrTrouble | undefined {
  const isLevelled = entry.level !== undefined;
  if (entry.level !== undefined && !reaches(entry.level, 'warning')) return undefined;
  const text = entry.data === undefined ? entry.message : `${entry.message} ${boundedJson(entry.data, 2000)}`;
  if (isReport(text)) return undefined;
  const words = wordsOf(entry);
  if (isLevelled && tellsOfFallback(text)) return { type: 'fallback', words, isLevelled };
  const saysError = entry.level === undefined ? beginsLikeError.test(entry.message) : reaches(entry.level, 'error');
  const byWords = classOfText(text);
  // A line that says it is an error needs fewer words, but only the end of its turn shows whether it mattered.
  const failure = byWords === 'other' && saysError ? classOfFailure(text) : byWords;
  const isRetry = tellsOfRetry(text);
  if (!isRetry && !ofTurns.has(failure)) return undefined;
  const isAside = aside.test(`${named(entry)} ${text}`) || aside.test(`${named(head)} ${head.message}`);
  const isError = isLevelled || isRetry || [entry, head].some(({ message }) => readsLikeError(message));
  const isOfTurn = isError && !isAside;
  return { type: 'failure', words, isLevelled, failure, isCertain: byWords === failure, isRetry, isOfTurn };
}

/** Whether one of the first words is for an error. What is before them is passed over at once: it may be a row of dots. */
function readsLikeError(message: string): boolean {
  const start = message.search(/[\w✗✕❌]/);
  return (start >= 0 && errorWord.test(message.slice(start))) || errorCode.test(message);
}

/** Notes in the turn that its model failed or is being retried, according to standard error. */
export function noteStderr(work: Work, turn: Turn, trouble: StderrTrouble): void {
  if (trouble.type !== 'failure' || !trouble.isOfTurn) return;
  const { words, failure, isRetry } = trouble;
  const isAttempt = isRetry && tellsOfRetry(words) && !attempts.test(words);
  // The cause says more than the fact that it is retrying.
  const before = failure === 'other' && isRetrying(turn) ? turn.trouble?.message : undefined;
  work.noteTrouble(turn, before ?? words, isAttempt, retryLimitIn(words));
}

/** A log message of the agent, bounded. */
export function logLine(params: JsonObject): SaidLine {
  const message = ownHead(messageText(params['message']), maxLog);
  const logger = textOf(params['logger']) ?? '';
  return { level: parseLevel(params['level']) ?? 'info', logger, message, text: message, data: params['data'] };
}

/** The name of the logger in words: `codex mcp client`. */
function named({ logger = '' }: SaidLine): string {
  return logger.replace(/[_:./]+/g, ' ');
}

function wordsOf({ message, data }: SaidLine): string {
  const errors = Object.entries(objectOf(data))
    .filter(([name]) => /error|cause|reason|err\b/i.test(name))
    .flatMap(([, value]) => textOf(value) ?? textOf(objectOf(value)['message']) ?? []);
  return [message, ...errors.slice(0, 2)].join(': ');
}
