import { t } from '../../text/translator';
import { markedId } from '../../text/sessionLabel';
import { otherSessions } from '../../protocols/sessionIds';
import { closesSession } from '../../protocols/acp/session';
import { BoundedMap } from '../../text/boundedMap';
import type { NotificationFact, RequestFact, ResponseFact } from '../../work/facts';
import { objectOf, textOf } from '../../text/json';
import type { Conversation } from '../conversation/conversation';
import type { TurnEnd } from '../../work/turn';
import { opensSession } from '../../work/methodRole';
import type { Findings, Rule } from '../rule';

const maxSessions = 500;
/** Updates within this time after a cancel were already on their way, in milliseconds. */
const grace = 1000;
/** Updates that come later than this after a turn are a new piece of work, such as a follow-up when a background command ends. */
const slip = 2000;
/** Updates that belong to a turn; others are about the session. */
const ofTurns = new Set(['agent_message_chunk', 'agent_thought_chunk', 'tool_call', 'tool_call_update', 'plan']);

interface Ended {
  readonly at: number;
  readonly what: 'turn' | 'session';
  readonly isCancelled: boolean;
  /** Tool calls may outlive their turn. */
  isReported: boolean;
}

/** Updates after the response that ended their turn or session (ACP "Prompt Turn"); clients may drop them. */
export class LateUpdates implements Rule {
  private readonly ended = new BoundedMap<string, Ended>(maxSessions);

  readonly methods = new Set(['session/update']);

  turnEnded({ event, turn }: TurnEnd): undefined {
    const { sessionId, isUnanswered, stopReason, cancel } = turn;
    if (isUnanswered || this.ended.get(sessionId)?.what === 'session') return;
    const isCancelled = cancel !== undefined || stopReason === 'cancelled';
    this.ended.set(sessionId, { at: event.t, what: 'turn', isCancelled, isReported: false });
  }

  request({ dir, request }: RequestFact): undefined {
    // Any request for a session reopens it.
    if (dir === 'c2a' && request.sessionId !== undefined) this.ended.delete(request.sessionId);
  }

  response({ dir, request, error, event }: ResponseFact): undefined {
    const id = request?.sessionId;
    if (dir !== 'a2c' || error || id === undefined || !closesSession(request?.method ?? '')) return;
    this.ended.set(id, { at: event.t, what: 'session', isCancelled: false, isReported: false });
  }

  notification({ dir, sessionId, event, params, isHistory }: NotificationFact, conversation: Conversation): Findings {
    const ended = this.ended.get(sessionId ?? '');
    if (dir !== 'a2c' || !ended || ended.isReported || conversation.isAcpVersion2) return undefined;
    if (conversation.turnOf(sessionId) || isHistory) return undefined;
    const kind = textOf(objectOf(params['update'])['sessionUpdate']) ?? '';
    const late = event.t - ended.at;
    // A background command outlives its turn.
    if (!ofTurns.has(kind) || (ended.what === 'turn' && kind === 'tool_call_update')) return undefined;
    if (ended.isCancelled ? late <= grace : ended.what === 'turn' && late > slip) return undefined;
    ended.isReported = true;
    return {
      code: ended.isCancelled ? 'cancel-ignored' : 'protocol-violation',
      level: 'warning',
      what:
        ended.what === 'turn'
          ? t('`{0}` arrived {1} after its turn had ended', kind, { ms: late })
          : t('`{0}` arrived {1} after its session was closed', kind, { ms: late }),
      cause: ended.what === 'turn' ? t("update after the turn's end") : t("update after the session's end"),
      advice: t('Send all updates of a turn before the answer to its prompt (ACP "Prompt Turn").'),
      key: `late ${ended.what}`,
      sessionId,
    };
  }
}

const ofSessions = /^(?:session|fs|terminal)\//;

/** The agent's messages for a session that was never opened (ACP "Session Setup"). */
export const unknownSessions: Rule = {
  methods: { has: (method) => ofSessions.test(method) },

  request({ dir, request }, conversation) {
    return dir === 'a2c' && ofSessions.test(request.method)
      ? judgeSession(request.method, request.sessionId, conversation)
      : undefined;
  },

  notification({ dir, method, sessionId }, conversation) {
    return dir === 'a2c' ? judgeSession(method, sessionId, conversation) : undefined;
  },
};

function judgeSession(method: string, sessionId: string | undefined, conversation: Conversation): Findings {
  // The beginning may be missing, and sessions beyond the limit share one entry.
  if (
    sessionId === undefined ||
    sessionId === otherSessions ||
    !conversation.initializeResult ||
    conversation.knowsSession(sessionId)
  ) {
    return undefined;
  }
  // An open request may be about to open the session.
  const { judged } = conversation.work.requests;
  if (judged.some((request) => opensSession(request) || request.role === 'list')) return undefined;
  // Agents open the sessions of subagents themselves.
  if (objectOf(conversation.agentCapabilities['sessionCapabilities'])['subagents'] !== undefined) return undefined;
  return {
    code: 'unknown-session',
    level: 'warning',
    what: t('`{0}` for an unknown session ({1})', method, markedId(sessionId)),
    advice: t('Use the `sessionId` exactly as `session/new` returned it.'),
  };
}
