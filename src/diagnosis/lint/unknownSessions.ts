import { shortId } from '../../log/sessionLabel';
import { objectOf } from '../../protocols/json';
import type { Conversation } from '../conversation/conversation';
import type { Report, Rule } from '../rule';
import type { Seen } from '../seen';

/** While one of these is open, a session that nobody knows yet may be its. */
const openers = new Set(['session/new', 'session/load', 'session/resume', 'session/fork', 'session/list']);

const ofSessions = /^(?:session|fs|terminal)\//;

/** Messages of the agent for an unknown session (ACP "Session Setup"). */
export class UnknownSessions implements Rule {
  looksAt(method: string): boolean {
    return ofSessions.test(method);
  }

  see(seen: Seen, conversation: Conversation, report: Report): void {
    if ((seen.type !== 'notification' && seen.type !== 'request') || seen.dir !== 'a2c') return;
    const sessionId = seen.type === 'request' ? seen.request.sessionId : seen.sessionId;
    const method = seen.type === 'request' ? seen.request.method : seen.method;
    if (sessionId === undefined || !ofSessions.test(method)) return;
    // Whoever listens from the middle has not seen the beginning.
    if (!conversation.initializeResult || conversation.knowsSession(sessionId)) return;
    if (conversation.openRequests.some((request) => openers.has(request.method))) return;
    // The sessions of subagents are opened by the agent itself.
    if (objectOf(conversation.agentCapabilities['sessionCapabilities'])['subagents'] !== undefined) return;
    report({
      code: 'unknown-session',
      level: 'warning',
      what: `${method} for an unknown session (…${shortId(sessionId)})`,
      advice: 'Use the `sessionId` exactly as `session/new` returned it.',
      at: seen.event.t,
      raw: seen.event.line,
    });
  }
}
