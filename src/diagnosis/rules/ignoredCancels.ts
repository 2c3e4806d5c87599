import { cancelOfParent } from '../../work/activity';
import { t } from '../../text/translator';
import { requestIdOf } from '../../text/json';
import { BoundedMap } from '../../text/boundedMap';
import type { MessageFact, TurnCancel } from '../../work/activity';
import type { ToolFact } from '../../work/tools/toolFacts';
import type { Conversation } from '../conversation/conversation';
import type { EndedTurn, TurnEnd } from '../../work/turn';
import { causes } from '../causes';
import { endsTurn, optionalCancel } from '../failures/cancels';
import type { Findings, Found, Rule } from '../rule';
import type { Timeouts } from '../timeouts';
import type { ClosedFact, NotificationFact, RequestFact, ResponseFact } from '../../work/facts';

/** An answer within this time may have crossed the cancel, in milliseconds. */
const crossing = 100;
/** What is under way may still come for so long after a cancel, and the end of the turn for so long, in milliseconds. */
const winding = 2000;
const stopping = 10_000;
const maxTokens = 500;
const maxSessions = 500;

/** Cancelled turns that ended otherwise, and MCP requests that continued. */
export class IgnoredCancels implements Rule {
  /** Cancelled requests by their progress token (MCP). */
  private readonly cancelled = new BoundedMap<string, { readonly method: string; readonly at: number }>(maxTokens);

  /** When the agent last said or began something in a turn that was cancelled, by session. */
  private readonly workedAt = new BoundedMap<string, number>(maxSessions);

  /** @param timeouts after `turn`, it was reported that the turn goes on */
  constructor(private readonly timeouts: Pick<Timeouts, 'turn'>) {}

  readonly methods = new Set(['notifications/progress']);

  request({ request: { progressToken, direction } }: RequestFact): undefined {
    if (progressToken !== undefined && direction === 'out') this.cancelled.delete(String(progressToken));
  }

  closed({ request: { progressToken, method, direction }, how, event }: ClosedFact): undefined {
    if (progressToken === undefined || direction === 'in' || how !== 'cancelled') return;
    this.cancelled.set(String(progressToken), { method, at: event.t });
  }

  message({ sessionId, event, speaker }: MessageFact, conversation: Conversation): undefined {
    if (speaker !== 'user') this.worked(sessionId, event.t, conversation);
  }

  tool({ sessionId, event, isNew }: ToolFact, conversation: Conversation): undefined {
    if (isNew === true) this.worked(sessionId, event.t, conversation);
  }

  /** An error counts as cancelled, whatever its code; a result doesn't. */
  response({ dir, late, error, event }: ResponseFact): Findings {
    if (dir !== 'a2c' || error || late?.how !== 'cancelled' || event.t - late.at <= crossing) return undefined;
    const { method } = late.request;
    return {
      code: 'cancel-ignored',
      level: 'notice',
      what: t('`{0}` was answered {1} after it was cancelled', method, { ms: event.t - late.at }),
      advice: t('Don\'t answer cancelled requests (MCP "Cancellation").'),
      key: `answer ${method}`,
    };
  }

  turnEnded({ turn }: TurnEnd): Findings {
    const { cancel, isUnanswered } = turn;
    if (!cancel || isUnanswered || cancel.method === cancelOfParent) return undefined;
    const isKnown = endsTurn(cancel) && turn.endedAt - cancel.at >= this.timeouts.turn;
    const workedFor = (this.workedAt.get(turn.sessionId) ?? 0) - cancel.at;
    const hasStopped = workedFor <= winding && turn.endedAt - cancel.at <= stopping;
    return [judgeOptional(cancel), judgeEnd(cancel, turn, isKnown || hasStopped)];
  }

  private worked(sessionId: string | undefined, at: number, conversation: Conversation): void {
    const turn = conversation.turnOf(sessionId);
    if (turn?.cancel) this.workedAt.set(turn.sessionId, at);
  }

  notification({ dir, params, event }: NotificationFact): Findings {
    const token = dir === 'a2c' ? requestIdOf(params['progressToken']) : undefined;
    const request = token === undefined ? undefined : this.cancelled.get(String(token));
    if (!request || event.t - request.at <= crossing) return undefined;
    return {
      code: 'cancel-ignored',
      level: 'warning',
      what: t('`{0}` kept running for {1} after it was cancelled', request.method, { ms: event.t - request.at }),
      advice: t('Stop cancelled requests (MCP "Cancellation").'),
      cause: causes.cancelIgnored,
      key: request.method,
    };
  }
}

function judgeOptional({ at, method, earlier }: TurnCancel): Found | undefined {
  if (earlier?.method !== optionalCancel || at - earlier.at <= crossing) return undefined;
  return {
    code: 'cancel-ignored',
    level: 'notice',
    what: t('The agent ignored `{0}` for {1}, until `{2}`', optionalCancel, { ms: at - earlier.at }, method),
    advice: optionalAdvice,
    key: optionalCancel,
  };
}

/** @param isMinor whether it only ended by another name, or it was reported that the turn went on */
function judgeEnd({ at, method }: TurnCancel, turn: EndedTurn, isMinor: boolean): Found | undefined {
  if (turn.stopReason === 'cancelled' || turn.error) return undefined;
  const isEmpty = turn.text === '' && !turn.hasActed;
  if (turn.endedAt - at <= crossing && !isEmpty) return undefined;
  const isOptional = method === optionalCancel;
  return {
    code: 'cancel-ignored',
    level: isOptional || isMinor ? 'notice' : 'warning',
    what:
      turn.stopReason === undefined
        ? t('The agent answered a turn cancelled by `{0}` without a stop reason (expected `cancelled`)', method)
        : t('The agent answered a turn cancelled by `{0}` with `{1}` (expected `cancelled`)', method, turn.stopReason),
    advice: isOptional
      ? optionalAdvice
      : t('Answer the prompt with the stop reason `cancelled` (ACP "Prompt Turn: Cancellation").'),
    cause: causes.cancelIgnored,
  };
}

const optionalAdvice = t('Support for `$/cancel_request` is optional; `session/cancel` ends a turn.');
