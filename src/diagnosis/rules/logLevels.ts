import { t } from '../../text/translator';
import type { Level } from '../../text/level';
import type { JsonObject, RequestId } from '../../text/json';
import { parseLevel, rankOf } from '../../text/level';
import { isStateless, levelOfRequest } from '../../protocols/mcp/subject';
import type { OpenRequest } from '../../work/requests';
import type { Conversation } from '../conversation/conversation';
import type { LogLine } from '../../protocols/logLine/logLine';
import type { LogFinding, Found, Rule } from '../rule';
import type { NotificationFact, RequestFact, ResponseFact } from '../../work/facts';

const maxPending = 100;
/** After this time without an answer, the level counts as set, in milliseconds. */
const maxWait = 5000;

/**
 * Log messages that weren't requested, or are below the requested level (ACP RFD "Agent-to-Client Logging", MCP "Logging"). In MCP without a
 * handshake, each request asks for its own.
 */
export class LogLevels implements Rule {
  /** Unanswered requests of `logging/setLevel`, by ID. */
  private readonly asked = new Map<string | number, { readonly level: Level; readonly at: number }>();
  private granted: Level | undefined;
  /** The levels that open requests ask for, without a handshake; the last that was answered counts until the next. */
  private levels: Map<RequestId, Level | undefined> | undefined;
  private answered: RequestId | undefined;
  /** Findings made so far, by method, or by level and the level that was requested. */
  private readonly made = new Map<string, LogFinding>();

  needsLog({ method, level }: Pick<LogLine, 'method' | 'level'>, conversation: Conversation): boolean {
    // While a request for a level is open, the result depends on the time.
    return (
      (this.asked.size > 0 && isLevelled(method, conversation)) ||
      this.find(method, level, 0, conversation) !== undefined
    );
  }

  log({ method, level, receivedAt }: LogLine, conversation: Conversation): LogFinding | undefined {
    return this.find(method, level, receivedAt, conversation);
  }

  request({ dir, request, params, event }: RequestFact, { protocol }: Conversation): undefined {
    if (dir !== 'c2a') return;
    if (protocol === 'mcp') this.noteRequest(request, params);
    if (request.role !== 'level') return;
    const level = parseLevel(params['level']);
    if (level !== undefined && this.asked.size < maxPending) this.asked.set(request.id, { level, at: event.t });
  }

  private noteRequest({ id, role }: OpenRequest, params: JsonObject): void {
    if (role === 'greeting') this.levels = undefined;
    if (!isStateless(params)) return;
    this.levels ??= new Map();
    if (this.answered !== undefined) this.levels.delete(this.answered);
    this.answered = undefined;
    if (this.levels.size < maxPending) this.levels.set(id, parseLevel(levelOfRequest(params)));
  }

  private noteAnswer({ id }: OpenRequest): void {
    if (this.levels && this.levels.size > 1) this.levels.delete(id);
    else if (this.levels?.has(id) === true) this.answered = id;
  }

  response({ dir, request, error }: ResponseFact): undefined {
    // A new `initialize` resets the level.
    if (request?.role === 'greeting' && !error) this.granted = undefined;
    if (dir === 'a2c' && request) this.noteAnswer(request);
    if (dir !== 'a2c' || request?.role !== 'level') return;
    const level = this.asked.get(request.id)?.level;
    this.asked.delete(request.id);
    if (level !== undefined && !error) this.granted = level;
  }

  notification(
    { dir, method, role, params, sessionId, event }: NotificationFact,
    conversation: Conversation,
  ): Found | undefined {
    if (dir !== 'a2c' || role !== 'log') return undefined;
    const found = this.find(method, parseLevel(params['level']), event.t, conversation);
    return found && (found.isOfSession ? { ...found, sessionId } : found);
  }

  /** @param level undefined if unknown */
  private find(
    method: string,
    level: Level | undefined,
    now: number,
    conversation: Conversation,
  ): LogFinding | undefined {
    if (this.levels) return this.findStateless(this.levels, method, level);
    const isMcp = conversation.protocol === 'mcp';
    const isAcp = conversation.protocol === 'acp';
    if ((!isMcp && !isAcp) || !conversation.initializeParams) return undefined;
    if (isMcp && !declaresLogging(conversation)) return this.once(method, undeclared);
    if (isAcp && !asksForLogs(conversation, method)) return this.once(method, unasked);
    if (level === undefined || !isLevelled(method, conversation)) return undefined;
    const wanted = this.wanted(conversation, now);
    if (wanted === undefined || rankOf(level) >= rankOf(wanted)) return undefined;
    return this.once(`${level} ${wanted}`, () => belowLevel(level, wanted));
  }

  private findStateless(
    levels: ReadonlyMap<RequestId, Level | undefined>,
    method: string,
    level: Level | undefined,
  ): LogFinding | undefined {
    const asked = [...levels.values()].filter((one) => one !== undefined);
    const [first, ...others] = asked;
    if (first === undefined) return this.once(method, unaskedByRequest);
    const wanted = others.reduce((least, one) => (rankOf(one) < rankOf(least) ? one : least), first);
    if (level === undefined || rankOf(level) >= rankOf(wanted)) return undefined;
    return this.once(`${level} ${wanted}`, () => belowLevel(level, wanted));
  }

  private once(key: string, make: (key: string) => LogFinding): LogFinding {
    const known = this.made.get(key);
    if (known) return known;
    const made = make(key);
    this.made.set(key, made);
    return made;
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

function undeclared(method: string): LogFinding {
  return {
    code: 'unasked-log',
    level: 'warning',
    what: t("Log message from a server that doesn't declare `capabilities.logging`"),
    advice: t('Declare `logging: {}` in the answer to initialize.'),
    key: method,
    isOfSession: true,
  };
}

function unasked(method: string): LogFinding {
  return {
    code: 'unasked-log',
    level: 'warning',
    what: t("Log message (`{0}`) that the client didn't ask for", method),
    advice: t('Send log messages only to a client that declares `clientCapabilities.logging`.'),
    key: method,
    isOfSession: true,
  };
}

function unaskedByRequest(key: string): LogFinding {
  return {
    code: 'unasked-log',
    level: 'warning',
    what: t('Log message although no open request asks for logs (`logLevel` in `_meta`)'),
    advice: t('Send log messages only for requests that name a level, from that level on.'),
    key,
    isOfSession: false,
  };
}

function belowLevel(level: Level, wanted: Level): LogFinding {
  return {
    code: 'log-below-level',
    level: 'notice',
    what: t('Log message at {0}, but {1} and above was requested', level, wanted),
    advice: t('Filter by level before sending.'),
    delivery: { type: 'habit' },
    isOfSession: false,
  };
}

function declaresLogging({ agentCapabilities, initializeResult }: Conversation): boolean {
  return initializeResult === undefined || agentCapabilities['logging'] !== undefined;
}

/** The level doesn't apply to other methods. */
function isLevelled(method: string, { protocol }: Conversation): boolean {
  return protocol === 'mcp' || method === 'log' || method === '_agent-logs/log';
}

/** The RFD's method needs its capability; other methods have other rules. */
function asksForLogs({ clientCapabilities }: Conversation, method: string): boolean {
  return method !== 'log' || clientCapabilities['logging'] !== undefined;
}
