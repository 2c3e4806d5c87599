import { duration } from '../../log/text';
import { requestIdOf } from '../../protocols/json';
import { BoundedMap } from '../../protocols/boundedMap';
import type { Conversation } from '../conversation/conversation';
import type { Report, Rule } from '../rule';
import type { ClosedFact, NotificationFact, RequestFact, ResponseFact } from '../../protocols/facts';
import type { Seen, TurnEndFact } from '../seen';
import { lineOf } from '../seen';

/** An answer may cross the cancel on its way, in milliseconds. */
const crossing = 100;
const maxTokens = 500;

/** Turns that were cancelled and ended otherwise, and requests of MCP that went on. */
export class IgnoredCancels implements Rule {
  /** Cancelled requests by their progress token (MCP). */
  private readonly cancelled = new BoundedMap<string, { readonly method: string; readonly at: number }>(maxTokens);

  looksAt(method: string): boolean {
    return method === 'notifications/progress';
  }

  see(seen: Seen, _conversation: Conversation, report: Report): void {
    if (seen.type === 'turn-end') return seeTurn(seen, report);
    if (seen.type === 'request' || seen.type === 'closed') return this.seeRequest(seen);
    if (seen.type === 'response') return seeLateAnswer(seen, report);
    if (seen.type !== 'notification') return;
    if (seen.dir === 'a2c' && seen.method === 'notifications/progress') this.seeProgress(seen, report);
  }

  private seeRequest(seen: RequestFact | ClosedFact): void {
    const { progressToken, method, direction } = seen.request;
    if (progressToken === undefined || direction === 'in') return;
    if (seen.type === 'request') this.cancelled.delete(String(progressToken));
    else if (seen.how === 'cancelled') this.cancelled.set(String(progressToken), { method, at: seen.event.t });
  }

  private seeProgress(seen: NotificationFact, report: Report): void {
    const token = requestIdOf(seen.params['progressToken']);
    const request = token === undefined ? undefined : this.cancelled.get(String(token));
    if (!request || seen.event.t - request.at <= crossing) return;
    report({
      code: 'cancel-ignored',
      level: 'warning',
      what: `\`${request.method}\` kept running for ${duration(seen.event.t - request.at)} after it was cancelled`,
      advice: 'Stop cancelled requests (MCP "Cancellation").',
      cause: 'cancel ignored',
      key: request.method,
      at: seen.event.t,
      raw: seen.event.line,
    });
  }
}

/** An error says that it was cancelled, in one way or another; a result says that it was not. */
function seeLateAnswer({ dir, late, error, event }: ResponseFact, report: Report): void {
  if (dir !== 'a2c' || error || late?.how !== 'cancelled' || event.t - late.at <= crossing) return;
  const { method } = late.request;
  report({
    code: 'cancel-ignored',
    level: 'notice',
    what: `\`${method}\` was answered ${duration(event.t - late.at)} after it was cancelled`,
    advice: 'Don\'t answer cancelled requests (MCP "Cancellation").',
    key: `answer ${method}`,
    at: event.t,
    raw: event.line,
  });
}

function seeTurn(seen: TurnEndFact, report: Report): void {
  const { turn } = seen;
  if (!turn.cancel || turn.isUnanswered) return;
  const place = { sessionId: turn.sessionId, at: seen.event.t, raw: lineOf(seen) };
  const { earlier } = turn.cancel;
  if (earlier?.method === optional && turn.cancel.at - earlier.at > crossing) {
    const waited = duration(turn.cancel.at - earlier.at);
    report({
      code: 'cancel-ignored',
      level: 'notice',
      what: `The agent ignored \`${optional}\` for ${waited}, until \`${turn.cancel.method}\``,
      advice: optionalAdvice,
      key: optional,
      ...place,
    });
  }
  if (turn.stopReason === 'cancelled' || turn.error) return;
  const waited = turn.endedAt - turn.cancel.at;
  const isEmpty = turn.text === '' && !turn.hasActed;
  if (waited <= crossing && !isEmpty) return;
  const isOptional = turn.cancel.method === optional;
  const ended = turn.stopReason === undefined ? 'no stop reason' : `\`${turn.stopReason}\``;
  report({
    code: 'cancel-ignored',
    level: isOptional ? 'notice' : 'warning',
    what: `The agent answered a turn cancelled by \`${turn.cancel.method}\` with ${ended} (expected \`cancelled\`)`,
    advice: isOptional
      ? optionalAdvice
      : 'Answer the prompt with the stop reason `cancelled` (ACP "Prompt Turn: Cancellation").',
    cause: 'cancel ignored',
    ...place,
  });
}

/** Agents may not know it. */
const optional = '$/cancel_request';
const optionalAdvice = 'Support for `$/cancel_request` is optional; `session/cancel` ends a turn.';
