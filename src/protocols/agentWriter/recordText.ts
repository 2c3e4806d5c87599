import { duration, oneLine, size } from '../../text/text';
import { textsOf } from '../../text/json';
import type { ActivityDraft, RetryFact } from '../../work/activity';
import type { Retry, SessionStart, TurnEnding } from './verbs';

/** `session started: Claude Code 2.1, model opus, in /home/me`. */
export function describeStart({
  agent,
  version,
  model,
  folder,
  details = [],
  isResumed = false,
}: SessionStart): string {
  const words = textsOf(
    version === undefined ? agent : `${agent} ${version}`,
    ...details,
    model !== undefined && `model ${model}`,
    folder !== undefined && `in ${folder}`,
  );
  return `session ${isResumed ? 'resumed' : 'started'}: ${words.map((word) => oneLine(word, 300)).join(', ')}`;
}

/** `failed after 2.3 s: why`. */
export function describeTurnEnd({ outcome, error, stopReason, took, isCommand = false }: TurnEnding): string {
  const after = took === undefined ? '' : ` after ${duration(took)}`;
  if (outcome === 'error') return `failed${after}${error === undefined ? '' : `: ${oneLine(error, 2000)}`}`;
  if (outcome === 'cancelled') return `interrupted${after}${error === undefined ? '' : ` (${oneLine(error, 200)})`}`;
  const isNews = stopReason !== undefined && stopReason !== 'end_turn' && !isCommand;
  return `ended${after}${isNews ? ` (${oneLine(stopReason, 60)})` : ''}`;
}

/** `status 503, retry 1 of 3 in 2 s: Overloaded`. */
function describeRetry({ attempt, max, inMs, status, why }: Retry): string {
  const count = attempt === undefined ? '' : ` ${attempt}${max === undefined ? '' : ` of ${max}`}`;
  const delay = inMs === undefined ? '' : ` in ${duration(inMs)}`;
  return `${status === undefined ? '' : `status ${status}, `}retry${count}${delay}: ${why}`;
}

/** The record and the fact of a retry. */
export function retryTexts(retry: Retry): { readonly record: string; readonly fact: ActivityDraft<RetryFact> } {
  const { status, inMs, max: maxRetries } = retry;
  const why = oneLine(withoutStatus(retry.why, status), 500).replace(/\.$/, '');
  const reason = `${why}${status === undefined ? '' : ` (status ${status})`}`;
  const message = `Retrying${inMs === undefined ? '' : ` in ${duration(inMs)}`}: ${reason}`;
  const isLimit = status === 429 || /\brate[ _-]?limit/i.test(reason);
  const fact = { type: 'retry', change: 'retrying', message, reason, isLimit, maxRetries } as const;
  return { record: describeRetry({ ...retry, why }), fact };
}

/** Removes the status that provider errors often begin with. */
export function withoutStatus(why: string, status: number | undefined): string {
  const prefix = String(status);
  return why.startsWith(prefix) ? why.slice(prefix.length).replace(/^[\s:]+/, '') : why;
}

/** The attempt that an error ended: `Overloaded (status 503)`, `503 Overloaded`. */
export function failedAttempt(error: string): Pick<Retry, 'why' | 'status'> {
  const [, behind, status] = /^(.*) \(status (\d{3})\b[^)]*\)$/s.exec(error) ?? [];
  const [, before] = /^([45]\d\d)\b/.exec(error) ?? [];
  const known = status ?? before;
  return { why: behind ?? error, ...(known !== undefined && { status: Number(known) }) };
}

/** Words for troubles that pass. */
const passing = /\boverloaded|\brate.limit|\btimed? ?out|\bECONN|\bconnection\b|\bfetch failed|\bnetwork\b/i;

/** How long to wait for another attempt, in milliseconds: agents wait up to 30 s between two, and a request may take longer. */
export const maxRetryWait = 120_000;

/** True if a request that failed with this error may succeed later, so that agents retry it. */
export function isPassing(error: string): boolean {
  const { status } = failedAttempt(error);
  return status === undefined ? passing.test(error.slice(0, 2000)) : [408, 429].includes(status) || status >= 500;
}

/** `812 characters`, `1.2 KB`. */
export function sizeOf(characters: number): string {
  return characters < 1000 ? `${characters} characters` : size(characters);
}
