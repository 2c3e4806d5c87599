import { duration } from '../../log/text';
import { closesSession } from '../../protocols/acp/sessionChanges';
import { BoundedMap } from '../../protocols/boundedMap';
import type { NotificationFact } from '../../protocols/facts';
import { objectOf, textOf } from '../../protocols/json';
import type { Conversation } from '../conversation/conversation';
import type { Report, Rule } from '../rule';
import type { Seen } from '../seen';

const maxSessions = 500;
/** What a cancelled turn sends within this time was on its way, in milliseconds. */
const grace = 1000;
/** What comes later than this after a turn is the agent's own work in the background, in milliseconds. */
const slip = 2000;
/** Updates that belong to a turn; others are news of the session. */
const ofTurns = new Set(['agent_message_chunk', 'agent_thought_chunk', 'tool_call', 'tool_call_update', 'plan']);

interface Ended {
  readonly at: number;
  readonly what: 'turn' | 'session';
  readonly isCancelled: boolean;
  /** The tool calls of a turn may go on behind it. */
  isReported: boolean;
}

/** Updates that come after the answer that ended their turn or their session (ACP "Prompt Turn"): clients may drop them. */
export class LateUpdates implements Rule {
  private readonly ended = new BoundedMap<string, Ended>(maxSessions);

  looksAt(method: string): boolean {
    return method === 'session/update';
  }

  see(seen: Seen, conversation: Conversation, report: Report): void {
    switch (seen.type) {
      case 'turn-end': {
        const { sessionId, isUnanswered, stopReason, cancel } = seen.turn;
        const isCancelled = cancel !== undefined || stopReason === 'cancelled';
        if (!isUnanswered && this.ended.get(sessionId)?.what !== 'session') {
          this.ended.set(sessionId, { at: seen.event.t, what: 'turn', isCancelled, isReported: false });
        }
        return;
      }
      case 'request':
        // Whatever is asked of a session opens it again.
        if (seen.dir === 'c2a' && seen.request.sessionId !== undefined) this.ended.delete(seen.request.sessionId);
        return;
      case 'response': {
        const id = seen.request?.sessionId;
        if (seen.dir !== 'a2c' || seen.error || id === undefined || !closesSession(seen.request?.method ?? '')) return;
        this.ended.set(id, { at: seen.event.t, what: 'session', isCancelled: false, isReported: false });
        return;
      }
      case 'notification':
        if (seen.dir === 'a2c' && seen.method === 'session/update') this.seeUpdate(seen, conversation, report);
        return;
      default:
    }
  }

  private seeUpdate(seen: NotificationFact, conversation: Conversation, report: Report): void {
    const { sessionId, event } = seen;
    const ended = this.ended.get(sessionId ?? '');
    if (!ended || ended.isReported || conversation.isAcpVersion2) return;
    if (conversation.turns.get(sessionId ?? '') || conversation.isReplaying(sessionId)) return;
    const kind = textOf(objectOf(seen.params['update'])['sessionUpdate']) ?? '';
    const late = event.t - ended.at;
    // A command in the background goes on behind its turn.
    if (!ofTurns.has(kind) || (ended.what === 'turn' && kind === 'tool_call_update')) return;
    if (ended.isCancelled && late <= grace) return;
    ended.isReported = true;
    const end = ended.what === 'turn' ? 'its turn had ended' : 'its session was closed';
    report({
      code: ended.isCancelled ? 'cancel-ignored' : 'protocol-violation',
      level: ended.what === 'turn' && !ended.isCancelled && late > slip ? 'notice' : 'warning',
      what: `\`${kind}\` arrived ${duration(late)} after ${end}`,
      cause: `update after the ${ended.what}'s end`,
      advice: 'Send all updates of a turn before the answer to its prompt (ACP "Prompt Turn").',
      key: `late ${ended.what}`,
      sessionId,
      at: event.t,
      raw: event.line,
    });
  }
}
