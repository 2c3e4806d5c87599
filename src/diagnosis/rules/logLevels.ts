import type { Level } from '../../log/level';
import { parseLevel, rankOf } from '../../log/level';
import { isLogMethod } from '../../protocols/acp/logMessage';
import type { Conversation } from '../conversation';
import type { LogLine } from '../../protocols/logLine/logLine';
import type { Report, Rule } from '../rule';
import type { NotificationFact } from '../../protocols/facts';
import type { Seen } from '../seen';

const maxPending = 100;
const mcpLog = 'notifications/message';

/** Log messages that nobody asked for, or less severe than was asked for (ACP RFD "Agent-to-Client Logging", MCP "Logging"). */
export class LogLevels implements Rule {
  /** Levels asked for with `logging/setLevel` and not yet granted, by the request's id. */
  private readonly asked = new Map<string | number, Level>();
  private granted: Level | undefined;

  looksAt(method: string): boolean {
    return method === mcpLog || isLogMethod(method);
  }

  passesLog({ method, level }: LogLine, conversation: Conversation): boolean {
    if (!conversation.initializeParams) return true;
    const isAsked = method === mcpLog ? declaresLogging(conversation) : asksForLogs(conversation, method);
    return isAsked && !(isLevelled(method) && this.isBelow(level, conversation));
  }

  see(seen: Seen, conversation: Conversation, report: Report): void {
    if (seen.type === 'request' && seen.dir === 'c2a' && seen.request.method === 'logging/setLevel') {
      const level = parseLevel(seen.params['level']);
      if (level !== undefined && this.asked.size < maxPending) this.asked.set(seen.request.id, level);
    }
    // Whoever greets anew says anew what it wants.
    if (seen.type === 'response' && seen.request?.method === 'initialize' && !seen.error) this.granted = undefined;
    if (seen.type === 'response' && seen.dir === 'a2c' && seen.request?.method === 'logging/setLevel') {
      const { id } = seen.request;
      const level = this.asked.get(id);
      this.asked.delete(id);
      if (level !== undefined && !seen.error) this.granted = level;
    }
    if (seen.type === 'notification' && seen.dir === 'a2c') this.seeLog(seen, conversation, report);
  }

  private seeLog(seen: NotificationFact, conversation: Conversation, report: Report): void {
    const isMcp = conversation.protocol === 'mcp' && seen.method === mcpLog;
    const isAcp = conversation.protocol === 'acp' && isLogMethod(seen.method);
    if ((!isMcp && !isAcp) || !conversation.initializeParams) return;
    const place = { sessionId: seen.sessionId, at: seen.event.t, raw: seen.event.line };
    if (!(isMcp ? declaresLogging(conversation) : asksForLogs(conversation, seen.method))) {
      const what = isMcp
        ? 'a log message of a server that does not declare `capabilities.logging`'
        : `a log message (${seen.method}) that the client did not ask for`;
      const advice = isMcp
        ? 'Declare `logging: {}` in the answer to initialize.'
        : 'Send log messages only to a client that declares `clientCapabilities.logging`.';
      return report({ code: 'unasked-log', level: 'warning', what, advice, key: seen.method, ...place });
    }
    const level = parseLevel(seen.params['level']);
    if (level === undefined || !isLevelled(seen.method) || !this.isBelow(level, conversation)) return;
    const wanted = this.wanted(conversation);
    report({
      code: 'log-below-level',
      level: 'notice',
      what: `a log message of the level ${level}, where ${wanted} and above was asked for`,
      advice: 'Filter before sending: what nobody wants to see costs both sides.',
      ...place,
    });
  }

  private isBelow(level: Level, conversation: Conversation): boolean {
    const wanted = this.wanted(conversation);
    // A level that is being asked for may already hold.
    return wanted !== undefined && this.asked.size === 0 && rankOf(level) < rankOf(wanted);
  }

  private wanted(conversation: Conversation): Level | undefined {
    return this.granted ?? conversation.askedLevel;
  }
}

function declaresLogging({ agentCapabilities, initializeResult }: Conversation): boolean {
  return initializeResult === undefined || agentCapabilities['logging'] !== undefined;
}

/** Other methods know nothing of the level that was asked for. */
function isLevelled(method: string): boolean {
  return method === mcpLog || method === 'log' || method === '_agent-logs/log';
}

/** The proposal's own method wants its capability; others have rules of their own. */
function asksForLogs({ clientCapabilities }: Conversation, method: string): boolean {
  return method !== 'log' || clientCapabilities['logging'] !== undefined;
}
