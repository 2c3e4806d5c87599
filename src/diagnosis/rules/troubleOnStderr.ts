import { boundedJson } from '../../log/boundedJson';
import { reaches } from '../../log/level';
import { oneLine } from '../../log/text';
import { objectOf, textOf as wordsOf } from '../../protocols/json';
import type { StderrFact } from '../../protocols/facts';
import type { StderrLine } from '../../protocols/stderr/stderrLine';
import { readStderrLine } from '../../protocols/stderr/stderrLine';
import type { Conversation } from '../conversation/conversation';
import type { FailureClass } from '../failures/failurePatterns';
import { isReport } from '../failures/failurePatterns';
import { adviceFor, causeOf, classOfText } from '../failures/failureClass';
import type { Finding } from '../diagnosis';
import type { Findings, Rule } from '../rule';
import { tellsOfFallback, tellsOfRetry } from '../../protocols/activity/troubleText';
import type { Turn } from '../conversation/turn';
import { addTrouble, isRetrying } from '../conversation/turn';

/** How much of a line is looked at, in characters. */
const maxLine = 16_384;
/** What the model's provider, or the way to it, may fail by. */
const ofProvider: ReadonlySet<FailureClass> = new Set<FailureClass>([
  'authentication',
  'rate-limit',
  'network',
  'unavailable',
  'model',
  'context-length',
  'policy',
]);
/** Things that fail beside a turn, and not with it. */
const aside =
  /\b(?:models\.dev|telemetry|analytics|metrics?|statsig|sentry|otel|otlp|spans?|tracing|mcp|lsp|language server|plugins?|extensions?|marketplace|update(?:r| check)?|version check|npm|git|title|changelog|feedback|auto-?update|ripgrep|hooks?)\b/i;
const readsLikeError =
  /^\W*(?:\S+ ){0,4}?\W*(?:\w*(?:error|exception)\b|fatal|panic|failed\b|unexpected status|[✗✕❌])|\b[45]\d\d [A-Z]|\bE[A-Z]{5,}\b/i;

/**
 * Limits, failures and retries of the model's provider that only standard error tells of. In a turn they are what goes wrong with it: how it
 * ends decides what becomes of that.
 */
export const troubleOnStderr: Rule = {
  stderr({ event }, conversation) {
    const said = readStderrLine(event.line.slice(0, maxLine));
    // Standard error is a log: a line that calls itself less than a warning is none.
    if (said.level !== undefined && !reaches(said.level, 'warning')) return undefined;
    const text = textOf(said);
    if (isReport(text)) return undefined;
    if (said.level !== undefined && tellsOfFallback(text)) return judgeFallback(event, said, conversation);
    const failure = classOfText(text);
    const isRetry = tellsOfRetry(text);
    if (!isRetry && !ofProvider.has(failure)) return undefined;
    const sessionId = conversation.sessionIn(event.line);
    const turn = turnOf(sessionId, conversation);
    if (turn) noteTrouble(turn, said, failure, isRetry);
    if (turn || said.level === undefined || (!isRetry && failure !== 'rate-limit')) return undefined;
    return { ...outsideOfTurns(said, failure), sessionId };
  },
};

/** The turn of the session that the line names; if it names none, the only one that runs. */
function turnOf(sessionId: string | undefined, conversation: Conversation): Turn | undefined {
  if (sessionId !== undefined) return conversation.turns.get(sessionId);
  const [first, ...others] = conversation.turns.values();
  return others.length === 0 ? first : undefined;
}

function noteTrouble(turn: Turn, said: StderrLine, failure: FailureClass, isRetry: boolean): void {
  if (aside.test(textOf(said)) && failure !== 'rate-limit') return;
  if (said.level === undefined && !isRetry && !readsLikeError.test(said.message)) return;
  // That it tries again says less than why.
  // A list of failed attempts counts none of them.
  const isAttempt = isRetry && tellsOfRetry(told(said)) && !/RetryError/.test(told(said));
  const before = failure === 'other' && isRetrying(turn) ? turn.trouble?.message : undefined;
  if (isAttempt) turn.retries++;
  addTrouble(turn, { message: before ?? told(said), isFinal: !isAttempt, isOnStderr: true });
}

function judgeFallback(event: StderrFact['event'], said: StderrLine, conversation: Conversation): Findings {
  if (conversation.hasChosenModel(event.t)) return undefined;
  const sessionId = conversation.sessionIn(event.line);
  const what = `Model changed (on stderr): "${oneLine(told(said), 200)}"`;
  return { code: 'model-fallback', level: 'notice', what, sessionId };
}

function outsideOfTurns(
  said: StderrLine,
  failure: FailureClass,
): Pick<Finding, 'code' | 'level' | 'what' | 'advice' | 'cause'> {
  const words = `"${oneLine(told(said), 200)}"`;
  const cause = causeOf(failure);
  const advice = adviceFor(failure);
  if (failure !== 'rate-limit') {
    return { code: 'retrying', level: 'notice', what: `Retrying (on stderr): ${words}`, cause: 'retrying' };
  }
  return {
    code: 'rate-limited',
    level: 'warning',
    what: `Rate limited (on stderr): ${words}`,
    cause,
    ...(advice !== undefined && { advice }),
  };
}

function textOf(said: StderrLine): string {
  return said.data === undefined ? said.message : `${said.message} ${boundedJson(said.data, 2000)}`;
}

/** The message, with what its fields say of the error. */
function told({ message, data }: StderrLine): string {
  const errors = Object.entries(typeof data === 'object' && data !== null ? data : {})
    .filter(([name]) => /error|cause|reason|err\b/i.test(name))
    .flatMap(([, value]) => wordsOf(value) ?? wordsOf(objectOf(value)['message']) ?? []);
  return [message, ...errors.slice(0, 2)].join(': ');
}
