import { shortId } from '../../log/sessionLabel';
import { objectOf } from '../../protocols/json';
import type { Conversation } from '../conversation/conversation';
import type { Findings, Rule } from '../rule';

/** While one of these is open, a session that nobody knows yet may be its. */
const openers = new Set(['session/new', 'session/load', 'session/resume', 'session/fork', 'session/list']);

const ofSessions = /^(?:session|fs|terminal)\//;

/** Messages of the agent for an unknown session (ACP "Session Setup"). */
export const unknownSessions: Rule = {
  methods: { has: (method) => ofSessions.test(method) },

  request({ dir, request }, conversation) {
    return dir === 'a2c' && ofSessions.test(request.method)
      ? judge(request.method, request.sessionId, conversation)
      : undefined;
  },

  notification({ dir, method, sessionId }, conversation) {
    return dir === 'a2c' ? judge(method, sessionId, conversation) : undefined;
  },
};

function judge(method: string, sessionId: string | undefined, conversation: Conversation): Findings {
  if (sessionId === undefined) return undefined;
  // Whoever listens from the middle has not seen the beginning.
  if (!conversation.initializeResult || conversation.knowsSession(sessionId)) return undefined;
  if (conversation.openRequests.some((request) => openers.has(request.method))) return undefined;
  // The sessions of subagents are opened by the agent itself.
  if (objectOf(conversation.agentCapabilities['sessionCapabilities'])['subagents'] !== undefined) return undefined;
  return {
    code: 'unknown-session',
    level: 'warning',
    what: `${method} for an unknown session (…${shortId(sessionId)})`,
    advice: 'Use the `sessionId` exactly as `session/new` returned it.',
  };
}
