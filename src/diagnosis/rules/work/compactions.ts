import { BoundedMap } from '../../../text/boundedMap';
import { t } from '../../../text/translator';
import type { CompactionFact, MessageFact, NoticeFact, UsageFact } from '../../../work/activity';
import type { ToolFact } from '../../../work/tools/toolFacts';
import { causes } from '../../causes';
import type { Conversation } from '../../conversation/conversation';
import { thrashingAdvice, tellsOfThrashing } from '../../failures/failureAdvice';
import type { Findings, Found, Rule, ToolEnded } from '../../rule';

const maxSessions = 500;
/** How many compactions in a turn are too many. */
const maxInTurn = 3;
/** So many without progress between them are too many. */
const maxIdle = 2;
/** After so many tool calls, another compaction is no repetition. */
const muchWork = 20;
/** If a turn compacted twice, a compaction in the next turn after at most so many tool calls and answers is another one. */
const littleWork = 5;
/** The least part of the context that a compaction frees. */
const leastFreed = 0.1;
/** A smaller context has little to free, in tokens. */
const leastTokens = 20_000;

interface Session {
  /** Whether a compaction runs, and the line that started it. */
  startedBy: unknown;
  /** The number of tokens in the context when it started. */
  startedWith: number | undefined;
  /** The latest number of tokens in the context. */
  tokens: number | undefined;
  /** The number before the latest compaction, if that after it isn't known yet. */
  before: number | undefined;
  /** The turn of the latest compactions, their number, and when they began. */
  turn: string | undefined;
  count: number;
  since: number;
  /** Compactions in a row without a tool call or an answer between them. */
  idle: number;
  /** Tool calls and answers since the latest compaction. */
  calls: number;
  answers: number;
  /** Whether the problem is reported in this turn. */
  isReported: boolean;
  /** Whether the agent has done or said anything since. */
  hasActed: boolean;
}

/** Compactions that free little, or repeat within a turn: what they leave nearly fills the context. */
export class Compactions implements Rule {
  private readonly sessions = new BoundedMap<string, Session>(maxSessions);

  compaction(fact: CompactionFact, conversation: Conversation): Findings {
    const { sessionId = '', change, isFailed, isCancelled, event } = fact;
    const session = this.sessionOf(sessionId);
    if (change === 'started') {
      if (session.startedBy === undefined) session.startedWith = session.tokens;
      session.startedBy ??= event;
      return undefined;
    }
    const { startedBy } = session;
    session.startedBy = undefined;
    if (isFailed || isCancelled === true) return undefined;
    const hasWorked = session.calls + session.answers > 0;
    // Agents report the same compaction in several ways.
    const isRepeated = session.count > 0 && !hasWorked && (startedBy === undefined || startedBy === event);
    // Codex reports what is left before the end.
    const startedWith = startedBy === undefined ? session.tokens : session.startedWith;
    const isLeft = session.tokens !== startedWith;
    const { contextTokens: after = isLeft ? (session.tokens ?? 0) : 0, tokensBefore } = fact;
    session.before = tokensBefore ?? session.before ?? startedWith;
    const turn = conversation.turnOf(sessionId);
    // The user may ask for one by a command.
    if (!isRepeated) count(session, turn?.prompt.startsWith('/') === true ? undefined : turn?.id, event.t);
    return [after > 0 ? freed(session, after) : undefined, isRepeated ? undefined : repeated(session)];
  }

  usage({ sessionId = '', id, usage }: UsageFact): Findings {
    const { contextTokens = 0 } = usage;
    if (contextTokens <= 0) return undefined;
    const session = this.sessionOf(sessionId);
    session.tokens = contextTokens;
    // A request without an answer may be that of the compaction.
    return id === undefined || session.hasActed ? freed(session, contextTokens) : undefined;
  }

  tool({ sessionId = '' }: ToolFact): undefined {
    const session = this.sessions.get(sessionId);
    if (session) session.hasActed = true;
  }

  toolEnded({ tool }: ToolEnded): undefined {
    const session = this.sessions.get(tool.sessionId);
    if (session) session.calls++;
  }

  message({ sessionId = '', speaker, text }: MessageFact): undefined {
    const session = speaker === 'user' ? undefined : this.sessions.get(sessionId);
    if (!session) return;
    session.hasActed = true;
    if (speaker === 'agent' && text.trim() !== '') session.answers++;
  }

  /** In a turn that fails with these words, the end of the turn reports them. */
  notice({ about, text }: NoticeFact): Findings {
    return about === 'any' && tellsOfThrashing(text)
      ? found(t('The agent compacts the conversation again and again'))
      : undefined;
  }

  private sessionOf(sessionId: string): Session {
    return this.sessions.ensure(sessionId, () => ({
      startedBy: undefined,
      startedWith: undefined,
      tokens: undefined,
      before: undefined,
      turn: undefined,
      count: 0,
      since: 0,
      idle: 0,
      calls: 0,
      answers: 0,
      isReported: false,
      hasActed: false,
    }));
  }
}

function count(session: Session, turn: string | undefined, at: number): void {
  const { calls, answers } = session;
  const isOfTurn =
    turn !== undefined && (session.turn === turn || (session.count > 1 && calls + answers <= littleWork));
  const isFirst = !isOfTurn || calls >= muchWork;
  if (isFirst) session.isReported = false;
  session.turn = turn;
  session.since = isFirst ? at : session.since;
  session.idle = isFirst || calls + answers > 0 ? 1 : session.idle + 1;
  session.count = isFirst ? 1 : session.count + 1;
  session.calls = session.answers = 0;
  session.hasActed = false;
}

function repeated(session: Session): Found | undefined {
  const { count, idle, since } = session;
  if (count < maxInTurn && idle < maxIdle) return undefined;
  const what = t('The agent compacts the conversation again and again');
  return once(session, { ...found(what), delivery: { type: 'series', count, since } });
}

/** @param after tokens in the context after the latest compaction, if that is what is known first */
function freed(session: Session, after: number): Found | undefined {
  const { before } = session;
  session.before = undefined;
  if (before === undefined || before < leastTokens) return undefined;
  const part = (before - after) / before;
  if (part >= leastFreed) return undefined;
  const percent = Math.max(0, Math.round(part * 100));
  const what = t('Compacting freed only {0} % of the context ({1} of {2} tokens are left)', percent, after, before);
  return once(session, found(what));
}

/** One problem for each turn. Later ones only change the row. */
function once(session: Session, problem: Found): Found {
  const { isReported } = session;
  session.isReported = true;
  return isReported ? { ...problem, delivery: { type: 'update' } } : problem;
}

function found(what: Found['what']): Found {
  return { code: 'compacts-again', level: 'warning', what, cause: causes.compactsAgain, advice: thrashingAdvice };
}
