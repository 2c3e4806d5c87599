import { t } from '../../log/translator';
import type { Level } from '../../log/level';
import { parseLevel, rankOf } from '../../log/level';
import { isLogMethod } from '../../protocols/acp/logMessage';
import type { Conversation } from '../conversation/conversation';
import type { LogLine } from '../../protocols/logLine/logLine';
import type { Findings, Rule } from '../rule';
import type { NotificationFact, RequestFact, ResponseFact } from '../../work/facts';

const maxPending = 100;
/** After this time without an answer, the level counts as set, in milliseconds. */
const maxWait = 5000;
const mcpLog = 'notifications/message';

/** Log messages that weren't requested, or are below the requested level (ACP RFD "Agent-to-Client Logging", MCP "Logging"). */
export class LogLevels implements Rule {
  /** Unanswered requests of `logging/setLevel`, by ID. */
  private readonly asked = new Map<string | number, { readonly level: Level; readonly at: number }>();
  private granted: Level | undefined;

  readonly methods = { has: (method: string) => method === mcpLog || isLogMethod(method) };

  needsLog({ method, level }: LogLine, conversation: Conversation): boolean {
    if (!conversation.initializeParams) return false;
    const isAsked = method === mcpLog ? declaresLogging(conversation) : asksForLogs(conversation, method);
    // While a request for a level is open, the result depends on the time.
    return !isAsked || (isLevelled(method) && (this.asked.size > 0 || this.isBelow(level, conversation, 0)));
  }

  request({ dir, request, params, event }: RequestFact): undefined {
    if (dir !== 'c2a' || request.method !== 'logging/setLevel') return;
    const level = parseLevel(params['level']);
    if (level !== undefined && this.asked.size < maxPending) this.asked.set(request.id, { level, at: event.t });
  }

  response({ dir, request, error }: ResponseFact): undefined {
    // A new `initialize` resets the level.
    if (request?.method === 'initialize' && !error) this.granted = undefined;
    if (dir !== 'a2c' || request?.method !== 'logging/setLevel') return;
    const level = this.asked.get(request.id)?.level;
    this.asked.delete(request.id);
    if (level !== undefined && !error) this.granted = level;
  }

  notification(seen: NotificationFact, conversation: Conversation): Findings {
    if (seen.dir !== 'a2c') return undefined;
    const isMcp = conversation.protocol === 'mcp' && seen.method === mcpLog;
    const isAcp = conversation.protocol === 'acp' && isLogMethod(seen.method);
    if ((!isMcp && !isAcp) || !conversation.initializeParams) return undefined;
    const { sessionId } = seen;
    if (!(isMcp ? declaresLogging(conversation) : asksForLogs(conversation, seen.method))) {
      const what = isMcp
        ? t("Log message from a server that doesn't declare `capabilities.logging`")
        : t("Log message (`{0}`) that the client didn't ask for", seen.method);
      const advice = isMcp
        ? t('Declare `logging: {}` in the answer to initialize.')
        : t('Send log messages only to a client that declares `clientCapabilities.logging`.');
      return { code: 'unasked-log', level: 'warning', what, advice, key: seen.method, sessionId };
    }
    const level = parseLevel(seen.params['level']);
    if (level === undefined || !isLevelled(seen.method) || !this.isBelow(level, conversation, seen.event.t)) {
      return undefined;
    }
    const wanted = this.wanted(conversation, seen.event.t);
    return {
      code: 'log-below-level',
      level: 'notice',
      what: t('Log message at {0}, but {1} and above was requested', level, wanted ?? ''),
      advice: t('Filter by level before sending.'),
      isHabit: true,
    };
  }

  private isBelow(level: Level, conversation: Conversation, now: number): boolean {
    const wanted = this.wanted(conversation, now);
    return wanted !== undefined && rankOf(level) < rankOf(wanted);
  }

  /** While a request is open, either level may apply; a request that is never answered counts as granted. */
  private wanted(conversation: Conversation, now: number): Level | undefined {
    let wanted = this.granted ?? conversation.askedLevel;
    for (const { level, at } of this.asked.values()) {
      if (now - at > maxWait) wanted = level;
      else if (wanted !== undefined && rankOf(level) < rankOf(wanted)) wanted = level;
    }
    return wanted;
  }
}

function declaresLogging({ agentCapabilities, initializeResult }: Conversation): boolean {
  return initializeResult === undefined || agentCapabilities['logging'] !== undefined;
}

/** The level doesn't apply to other methods. */
function isLevelled(method: string): boolean {
  return method === mcpLog || method === 'log' || method === '_agent-logs/log';
}

/** The RFD's method needs its capability; other methods have other rules. */
function asksForLogs({ clientCapabilities }: Conversation, method: string): boolean {
  return method !== 'log' || clientCapabilities['logging'] !== undefined;
}
