import type { Translator } from '../text/translator';
import { english } from '../text/translator';
import { isSameModel } from '../work/usage/modelNames';
import { cacheHitRatio } from '../work/usage/usage';
import type { Span } from './span';
import { partsByTurn } from './turnSummary';

/** A turn that used several times as much as the turns before it in its session, and what explains that. */
export interface CostJump {
  /** `input`: input that wasn't read from the cache, if the agent reports no cost. */
  readonly what: 'cost' | 'input';
  /** Compared with the median of the turns before. */
  readonly factor: number;
  /** Most likely first; empty if nothing explains it. */
  readonly reasons: readonly JumpReason[];
}

export type JumpReason =
  /** The provider no longer had the conversation in its cache. `causes` is empty if nothing that was seen explains it. */
  | { readonly type: 'cache-lost'; readonly causes: readonly CacheCause[] }
  | Exclude<CacheCause, { readonly type: 'pause' }>
  | { readonly type: 'retries' | 'subagents'; readonly count: number }
  | { readonly type: 'calls' | 'output'; readonly count: number; readonly usual: number }
  /** The context grew, for example by a large file. */
  | { readonly type: 'added'; readonly count: number };

/** What makes a provider's cache useless for the next request. */
type CacheCause =
  | { readonly type: 'model'; readonly from: string; readonly to: string }
  | { readonly type: 'compaction' }
  | { readonly type: 'pause'; readonly ms: number };

/** What a turn used, as far as it is compared. */
interface Spent {
  readonly turn: Span;
  readonly cost: number | undefined;
  /** Input that wasn't read from the cache. */
  readonly fresh: number | undefined;
  /** The part of the input that was read from the cache, from 0 to 1. */
  readonly cached: number | undefined;
  readonly context: number | undefined;
  readonly output: number | undefined;
  readonly calls: number;
  readonly subagents: number;
  readonly isCompacted: boolean;
  /** Nothing followed its compaction, so the next turn is the first that sends the new context. */
  readonly endsCompacted: boolean;
}

/** How many turns before a turn it is compared with. */
const maxBefore = 5;
const minFactor = 3;
/** Smaller amounts aren't worth an explanation: US dollars, and tokens. */
const minAmounts = { cost: 0.05, fresh: 10_000 };
/** How long providers keep a cache at least, in milliseconds: Anthropic 5 minutes (1 hour if asked for), OpenAI 5 to 10 minutes. */
const cacheLife = 5 * 60_000;
/** A context smaller than this says nothing about the cache, in tokens. */
const minContext = 5000;
/** The part of the context that is sent again without being cached, from which on the cache counts as lost. */
const lostShare = 0.6;
const minOutput = 5000;
const minCalls = 5;
const minAdded = 10_000;

/**
 * The turns whose cost jumps, by ID. An explanation, not a problem.
 * @param spans those of one or more sessions, in order of their start
 * @param parts the parts of each turn
 */
export function costJumps(spans: readonly Span[], parts = partsByTurn(spans)): ReadonlyMap<string, CostJump> {
  const sessions = new Map<string | undefined, Spent[]>();
  const jumps = new Map<string, CostJump>();
  for (const span of spans) {
    if (span.kind !== 'turn' || !span.usage || span.endedAt === undefined) continue;
    const before = sessions.get(span.sessionId) ?? [];
    sessions.set(span.sessionId, before);
    const spent = spentOf(span, parts.get(span.id) ?? []);
    const jump = jumpOf(spent, before);
    if (jump) jumps.set(span.id, jump);
    before.push(spent);
    if (before.length > maxBefore) before.shift();
  }
  return jumps;
}

function spentOf(turn: Span, parts: readonly Span[]): Spent {
  const { usage = { basis: 'unknown' } } = turn;
  const { inputTokens, cachedTokens, outputTokens, contextTokens, costUsd, basis } = usage;
  const isOfTurn = basis === 'turn';
  const cached = isOfTurn ? cacheHitRatio(usage) : undefined;
  const compaction = parts.findLast(({ kind }) => kind === 'compaction');
  return {
    turn,
    cost: basis === 'cumulative' ? undefined : costUsd,
    fresh: cached === undefined ? undefined : (inputTokens ?? 0) - (cachedTokens ?? 0),
    cached,
    context: contextTokens,
    output: isOfTurn ? outputTokens : undefined,
    calls: parts.filter(({ kind }) => kind === 'tool').length,
    subagents: parts.filter(({ kind }) => kind === 'subagent').length,
    isCompacted: compaction !== undefined,
    endsCompacted: compaction !== undefined && parts.findLast(({ kind }) => kind !== 'hook') === compaction,
  };
}

function jumpOf(now: Spent, before: readonly Spent[]): CostJump | undefined {
  const name = now.cost !== undefined && usual(before, 'cost') > 0 ? 'cost' : 'fresh';
  const amount = now[name] ?? 0;
  const factor = amount / usual(before, name);
  if (!Number.isFinite(factor) || factor < minFactor || amount < minAmounts[name]) return undefined;
  const reasons = reasonsFor(now, before);
  // One turn before is too few to be surprised without a reason.
  if (reasons.length === 0 && before.length < 2) return undefined;
  return { what: name === 'cost' ? 'cost' : 'input', factor, reasons };
}

function reasonsFor(now: Spent, before: readonly Spent[]): readonly JumpReason[] {
  const last = before.at(-1);
  if (!last) return [];
  const { turn, calls, subagents, output = 0 } = now;
  const { retries = 0 } = turn;
  const causes = cacheCauses(now, last);
  const isLost = hasLostCache(now, last, before);
  const others = causes.filter((cause) => cause.type !== 'pause');
  const reasons: JumpReason[] = isLost ? [{ type: 'cache-lost', causes }] : others;
  if (subagents > usual(before, 'subagents')) reasons.push({ type: 'subagents', count: subagents });
  const usualCalls = usual(before, 'calls');
  if (calls >= Math.max(minCalls, usualCalls * minFactor)) {
    reasons.push({ type: 'calls', count: calls, usual: usualCalls });
  }
  const usualOutput = usual(before, 'output');
  if (output >= Math.max(minOutput, usualOutput * minFactor)) {
    reasons.push({ type: 'output', count: output, usual: usualOutput });
  }
  const added = addedTo(now, last);
  if (added >= Math.max(minAdded, (now.fresh ?? 0) / 2)) reasons.push({ type: 'added', count: added });
  if (retries > 0) reasons.push({ type: 'retries', count: retries });
  return reasons;
}

/** What happened since the turn before that makes its cache useless. */
function cacheCauses({ turn, isCompacted }: Spent, last: Spent): readonly CacheCause[] {
  const [from, to] = [last.turn.model, turn.model];
  const pause = turn.startedAt - (last.turn.endedAt ?? turn.startedAt);
  return [
    ...(from !== undefined && to !== undefined && !isSameModel(from, to) ? [{ type: 'model', from, to } as const] : []),
    ...(isCompacted || last.endsCompacted ? [{ type: 'compaction' } as const] : []),
    ...(pause > cacheLife ? [{ type: 'pause', ms: pause } as const] : []),
  ];
}

/** Whether much of the context was sent again without being cached, although earlier turns read theirs from the cache. */
function hasLostCache(now: Spent, last: Spent, before: readonly Spent[]): boolean {
  const usualShare = usual(before, 'cached');
  if (now.fresh === undefined || now.cached === undefined || usualShare === 0) return false;
  if (last.context === undefined || now.context === undefined) return now.cached < usualShare * (1 - lostShare);
  const again = now.fresh - addedTo(now, last);
  return last.context >= minContext && again >= last.context * lostShare;
}

/** How much the context grew, in tokens. */
function addedTo(now: Spent, last: Spent): number {
  return now.context === undefined || last.context === undefined ? 0 : Math.max(0, now.context - last.context);
}

/** The median of what is known and isn't 0; of two, the higher. */
function usual(before: readonly Spent[], name: 'cost' | 'fresh' | 'cached' | 'output' | 'calls' | 'subagents'): number {
  const counts = before.flatMap((spent) => spent[name] ?? []).filter((count) => count > 0);
  return counts.sort((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 0;
}

/** `Cost 6.2 × that of earlier turns: cache lost after a pause of 47 min` */
export function jumpText({ what, factor, reasons }: CostJump, l10n: Translator = english): string {
  const times = factor < 10 ? factor.toFixed(1) : Math.round(factor).toString();
  const why = reasons.length === 0 ? l10n.t('no reason seen') : reasons.map((one) => reasonText(one, l10n)).join(', ');
  return what === 'cost'
    ? l10n.t('Cost {0} × that of earlier turns: {1}', times, why)
    : l10n.t('Uncached input {0} × that of earlier turns: {1}', times, why);
}

function reasonText(reason: JumpReason, l10n: Translator): string {
  switch (reason.type) {
    case 'cache-lost': {
      const causes = reason.causes.map((cause) => causeText(cause, l10n)).join(', ');
      return causes === ''
        ? l10n.t('cache lost (the tools or the system prompt may have changed)')
        : l10n.t('cache lost after {0}', causes);
    }
    case 'model':
    case 'compaction':
      return causeText(reason, l10n);
    case 'retries':
      return reason.count === 1 ? l10n.t('1 retry') : l10n.t('{0} retries', reason.count);
    case 'subagents':
      return reason.count === 1 ? l10n.t('1 subagent') : l10n.t('{0} subagents', reason.count);
    case 'calls':
      return l10n.t('{0} tool calls (usually {1})', reason.count, reason.usual);
    case 'output':
      return l10n.t('{0} output tokens (usually {1})', { tokens: reason.count }, { tokens: reason.usual });
    case 'added':
      return l10n.t('{0} tokens added to the context', { tokens: reason.count });
  }
}

function causeText(cause: CacheCause, l10n: Translator): string {
  switch (cause.type) {
    case 'model':
      return l10n.t('a change of model from {0} to {1}', cause.from, cause.to);
    case 'compaction':
      return l10n.t('compaction');
    case 'pause':
      return l10n.t('a pause of {0}', { minutes: Math.round(cause.ms / 60_000) });
  }
}
