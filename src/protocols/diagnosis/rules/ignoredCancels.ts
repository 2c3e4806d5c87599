import { duration } from '../../../log/text';
import type { RequestId } from '../../json';
import { requestIdOf } from '../../json';
import { BoundedMap } from '../boundedMap';
import type { Conversation } from '../conversation';
import type { Report, Rule } from '../rule';
import type { Seen, SeenResponse, SeenTurnEnd } from '../seen';
import { lineOf } from '../seen';

/** An answer may cross the cancel on its way, in milliseconds. */
const crossing = 100;
const maxTokens = 500;

/** Turns that were cancelled and ended otherwise, and requests of MCP that went on. */
export class IgnoredCancels implements Rule {
  /** The requests that asked for progress, by their tokens (MCP). */
  private readonly tokens = new BoundedMap<string, RequestId>(maxTokens);

  looksAt(method: string): boolean {
    return method === 'notifications/progress';
  }

  see(seen: Seen, conversation: Conversation, report: Report): void {
    if (seen.type === 'turn-end') return seeTurn(seen, report);
    if (seen.type === 'request' && seen.dir === 'c2a') return this.noteToken(seen);
    if (seen.type === 'response') return seeLateAnswer(seen, conversation, report);
    if (seen.type !== 'notification') return;
    if (seen.dir === 'a2c' && seen.method === 'notifications/progress') this.seeProgress(seen, conversation, report);
  }

  private noteToken({ request, params }: Extract<Seen, { type: 'request' }>): void {
    const meta = params['_meta'];
    const token = typeof meta === 'object' && meta !== null && 'progressToken' in meta ? meta.progressToken : undefined;
    const id = requestIdOf(token);
    if (id !== undefined) this.tokens.set(idKey(id), request.id);
  }

  private seeProgress(seen: Extract<Seen, { type: 'notification' }>, conversation: Conversation, report: Report): void {
    const token = requestIdOf(seen.params['progressToken']);
    const id = token === undefined ? undefined : this.tokens.get(idKey(token));
    const request = id === undefined ? undefined : conversation.closedBefore(id);
    if (request?.how !== 'cancelled' || seen.event.t - request.at <= crossing) return;
    report({
      code: 'cancel-ignored',
      level: 'warning',
      what: `${request.method} went on after it was cancelled: its progress still came ${duration(seen.event.t - request.at)} later`,
      advice: 'A server should stop what was cancelled (MCP "Cancellation").',
      key: request.method,
      at: seen.event.t,
      raw: seen.event.line,
    });
  }
}

function idKey(id: string | number): string {
  return `${typeof id} ${String(id).slice(0, 256)}`;
}

/** An error says that it was cancelled, in one way or another; a result says that it was not. */
function seeLateAnswer(seen: SeenResponse, conversation: Conversation, report: Report): void {
  if (seen.dir !== 'a2c' || seen.request || seen.id === undefined || seen.error) return;
  const request = conversation.closedBefore(seen.id);
  if (request?.how !== 'cancelled' || seen.event.t - request.at <= crossing) return;
  report({
    code: 'cancel-ignored',
    level: 'notice',
    what: `${request.method} was answered ${duration(seen.event.t - request.at)} after it was cancelled`,
    advice: 'A server should not answer what was cancelled (MCP "Cancellation").',
    key: `answer ${request.method}`,
    at: seen.event.t,
    raw: seen.event.line,
  });
}

function seeTurn(seen: SeenTurnEnd, report: Report): void {
  const { turn } = seen;
  if (!turn.cancel || turn.isUnanswered || turn.stopReason === 'cancelled' || turn.error) return;
  const waited = turn.endedAt - turn.cancel.at;
  const isEmpty = turn.text === '' && !turn.hasActed;
  if (waited <= crossing && !isEmpty) return;
  const isOptional = turn.cancel.method === '$/cancel_request';
  report({
    code: 'cancel-ignored',
    level: isOptional ? 'notice' : 'warning',
    what: `the turn was cancelled by ${turn.cancel.method}, and ended ${duration(waited)} later as ${turn.stopReason ?? 'if it had not been'}`,
    advice: isOptional
      ? 'An agent need not know $/cancel_request; session/cancel is the way to end a turn.'
      : 'An agent must answer the prompt with the stop reason `cancelled` (ACP "Prompt Turn: Cancellation").',
    sessionId: turn.sessionId,
    at: seen.event.t,
    raw: lineOf(seen),
  });
}
