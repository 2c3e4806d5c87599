import { BoundedMap } from '../../../text/boundedMap';
import type { Words } from '../../../text/translator';
import { t } from '../../../text/translator';
import type { CompactionFact, ModelFact, Usage, UsageFact } from '../../../work/activity';
import { isOtherModel } from '../../../work/usage/modelNames';
import { costWeight, prices } from '../../../work/usage/costShares';
import type { TurnEnd } from '../../../work/turn';
import { causes } from '../../causes';
import { standing } from '../../diagnosis';
import type { Findings, Found, Rule } from '../../rule';

const maxSessions = 500;
const maxName = 100;
/** Less than this isn't worth a cache, in tokens. */
const minWritten = 5000;
/** What is read of a cache that works, as a part of what is written and read. */
const minRead = 0.05;
/** How many requests must have written again what they should have read. */
const minMisses = 3;
/** How long providers keep a cache at least, in milliseconds. */
const cacheLife = 5 * 60_000;

interface Session {
  /** The model request that was counted last, if the agent reports each: its usage may be repeated. */
  request: string | undefined;
  /** Whether the running turn's requests were counted, so that its sum says nothing new. */
  isCounted: boolean;
  model: string | undefined;
  at: number;
  /** Requests, or turns of agents that report only sums, that wrote the cache in a row, and how many of them should have read it. */
  writes: number;
  misses: number;
  /** Tokens that these wrote, and those that the first had to write. */
  tokens: number;
  first: number;
  /** What the turns in which they were cost, in US dollars, and their usage in prices of a token of input. */
  cost: number;
  weight: number;
  isReported: boolean;
}

/** A cache that is written in each request and never read: the beginning of the prompt changes each time. */
export class UnreadCaches implements Rule {
  private readonly sessions = new BoundedMap<string, Session>(maxSessions);

  usage({ sessionId = '', id, usage, event }: UsageFact): Findings {
    if (id === undefined) return undefined;
    const session = this.sessionOf(sessionId);
    session.isCounted = true;
    if (session.request === id) return undefined;
    const isNew = note(session, usage, event.t, 1);
    if (isNew) session.request = id;
    return isNew === 'read' ? readAgain(session, sessionId) : undefined;
  }

  turnEnded({ turn }: TurnEnd): Findings {
    const { sessionId, usage, endedAt, hasCalledTool } = turn;
    const session = this.sessionOf(sessionId);
    const { isCounted } = session;
    session.isCounted = false;
    if (!usage) return undefined;
    // A turn with tools has several requests.
    const seen = isCounted ? undefined : note(session, usage, endedAt, hasCalledTool ? 2 : 1);
    if (usage.costUsd !== undefined && session.writes > 0) {
      session.cost += usage.costUsd;
      session.weight += costWeight(usage);
    }
    return seen === 'read' ? readAgain(session, sessionId) : found(session, sessionId);
  }

  compaction({ sessionId = '' }: CompactionFact): undefined {
    startOver(this.sessionOf(sessionId));
  }

  /** Each model has its own cache. */
  model({ sessionId = '', to }: ModelFact): undefined {
    const session = this.sessionOf(sessionId);
    if (to !== undefined && session.model !== undefined && isOtherModel(session.model, to)) startOver(session);
    session.model = to?.slice(0, maxName) ?? session.model;
  }

  finished(): Findings {
    return this.sessions.keys().map((sessionId) => found(this.sessionOf(sessionId), sessionId));
  }

  private sessionOf(sessionId: string): Session {
    return this.sessions.ensure(sessionId, () => ({
      ...fresh,
      request: undefined,
      isCounted: false,
      model: undefined,
      at: 0,
      isReported: false,
    }));
  }
}

const fresh = { writes: 0, misses: 0, tokens: 0, first: 0, cost: 0, weight: 0 } as const;

function startOver(session: Session): void {
  Object.assign(session, fresh);
}

/** Counts a request, or a turn with at least so many. */
function note(session: Session, usage: Usage, at: number, requests: number): 'written' | 'read' | undefined {
  const { cachedTokens = 0, cacheWriteTokens = 0 } = usage;
  if (cachedTokens > minRead * (cachedTokens + cacheWriteTokens)) {
    startOver(session);
    return 'read';
  }
  const written = writtenSince(session, usage);
  if (written < minWritten) return undefined;
  // By then, the provider has forgotten it.
  if (at - session.at > cacheLife) startOver(session);
  session.at = at;
  session.misses += session.writes === 0 ? requests - 1 : requests;
  if (session.writes === 0) session.first = written / requests;
  session.writes++;
  session.tokens += written;
  return 'written';
}

/** Some agents report the sum of the session, and of some it isn't known. */
function writtenSince({ tokens }: Session, { cacheWriteTokens = 0, basis }: Usage): number {
  const isSum = basis === 'cumulative' || (basis === 'unknown' && cacheWriteTokens >= tokens + minWritten);
  return isSum ? cacheWriteTokens - tokens : cacheWriteTokens;
}

function found(session: Session, sessionId: string): Found | undefined {
  const { writes, misses, tokens, isReported } = session;
  if (misses < minMisses) return undefined;
  const subject = subjectOf(sessionId);
  session.isReported = true;
  return {
    code: 'cache-never-read',
    level: 'warning',
    what: t(
      'The cache was written {0} times in a row ({1} tokens) and never read, {2}',
      writes,
      tokens,
      costOf(session),
    ),
    cause: causes.cacheNeverRead,
    advice: t(
      'Something changes the beginning of each prompt, such as a proxy, a time stamp or a list of tools: remove it, or turn the cache off.',
    ),
    sessionId: sessionId === '' ? undefined : sessionId,
    delivery: isReported ? { type: 'update', subject } : standing(subject),
  };
}

/** What it costs to write again what could be read. */
function costOf({ cost, weight, tokens, first }: Session): Words {
  const times = Math.floor(prices.cacheWrite / prices.cached);
  const extra = (tokens - first) * (prices.cacheWrite - prices.cached);
  const dollars = weight > 0 ? (cost * extra) / Math.max(weight, extra) : 0;
  return dollars >= 0.005
    ? t('which cost about ${0} more than reading it', dollars.toFixed(2))
    : t('at about {0} times the price of reading it', times);
}

function readAgain(session: Session, sessionId: string): Found | undefined {
  if (!session.isReported) return undefined;
  session.isReported = false;
  const delivery = { type: 'settled', subject: subjectOf(sessionId) } as const;
  return { code: 'cache-never-read', level: 'notice', what: t('The cache is read again'), delivery };
}

function subjectOf(sessionId: string): string {
  return `cache ${sessionId}`;
}
