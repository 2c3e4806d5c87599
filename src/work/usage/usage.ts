import type { JsonObject } from '../../text/json';
import { numberOf, objectOf } from '../../text/json';
import type { Usage } from '../activity';
import type { UsageCount } from './usageCounts';
import { roundedCost } from './costShares';
import { usageCounts, usageFrom } from './usageCounts';

/** What a vendor's counts leave out. Each vendor's room declares its own. */
export interface UsageConvention {
  /** The input doesn't include what was read from and written to the cache. */
  readonly inputExcludesCache?: boolean;
  /** The output doesn't include reasoning. */
  readonly outputExcludesReasoning?: boolean;
}

interface UsageOptions {
  readonly convention?: UsageConvention;
  /** In US dollars. */
  readonly cost?: unknown;
}

interface Counts {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly total: number | undefined;
  readonly cached: number | undefined;
  readonly cacheWrite: number | undefined;
  readonly reasoning: number | undefined;
}

/** Results of Gemini's own tools, which it doesn't count as prompt. */
const toolInput = ['tool', 'toolUsePromptTokenCount'];

/** Reads the counts in a usage object by the field names that agents use, and makes them mean the same for all vendors. */
export function usageOf(
  fields: JsonObject,
  basis: Usage['basis'],
  { convention = {}, cost }: UsageOptions = {},
): Usage | undefined {
  const counts = countsOf(fields);
  const { input, output, total } = complete(counts, fitting(counts, convention));
  const known: Partial<Record<UsageCount, number | undefined>> = {
    inputTokens: input,
    outputTokens: output,
    totalTokens: total,
    cachedTokens: counts.cached,
    cacheWriteTokens: counts.cacheWrite,
    reasoningTokens: counts.reasoning,
    costUsd: numberOf(cost),
  };
  const usage = usageFrom((name) => known[name]);
  return Object.keys(usage).length === 0 ? undefined : { ...usage, basis };
}

/** The part of the input that came from the cache, from 0 to 1. `undefined` if unknown, or if there was no input. */
export function cacheHitRatio({ inputTokens = 0, cachedTokens }: Usage): number | undefined {
  return cachedTokens === undefined || inputTokens <= 0 ? undefined : Math.min(1, cachedTokens / inputTokens);
}

/** Adds what the context has after a model request: its input and output. */
export function withContext(request: Usage): Usage {
  const { inputTokens, outputTokens, totalTokens } = request;
  const contextTokens = totalTokens ?? (inputTokens === undefined ? 0 : inputTokens + (outputTokens ?? 0));
  // Requests that failed have counts of 0.
  return contextTokens > 0 ? { ...request, contextTokens } : request;
}

/** Adds how many tokens the model's context can have. */
export function usageWithWindow(usage: Usage | undefined, window: unknown): Usage | undefined {
  const contextWindow = countOf(window) ?? 0;
  return contextWindow > 0 ? { basis: 'unknown', ...usage, contextWindow } : usage;
}

/** How full a session's context is. */
export interface SessionContext {
  readonly tokens: number | undefined;
  /** How many tokens it can have. */
  readonly window: number | undefined;
}

/** What is known of a session's context, now that this is reported. */
export function contextAfter(
  before: SessionContext | undefined,
  { contextTokens, contextWindow }: Partial<Usage> = {},
): SessionContext | undefined {
  if (contextTokens === undefined && contextWindow === undefined) return before;
  return {
    tokens: contextTokens === 0 ? undefined : (contextTokens ?? before?.tokens),
    window: contextWindow ?? before?.window,
  };
}

/** A turn's usage with the context that it left. */
export function usageWithContext(turn: Usage | undefined, { tokens, window }: SessionContext): Usage {
  const { contextTokens: _tokens, contextWindow: _window, ...used } = turn ?? { basis: 'turn' };
  return {
    ...used,
    ...(tokens !== undefined && { contextTokens: tokens }),
    ...(window !== undefined && { contextWindow: window }),
  };
}

/** The cost of a turn, if the agent reports the sum of all turns, in US dollars. `undefined` if it reports no cost. */
export function costOf(total: number, before: number): number | undefined {
  // A new conversation starts at 0.
  const cost = total >= before ? total - before : total;
  return cost > 0 ? roundedCost(cost) : undefined;
}

/** Adds the usage of one step of a turn to that of earlier steps. */
export function addUsage(before: Usage | undefined, step: Usage | undefined): Usage | undefined {
  if (!before || !step) return step ?? before;
  const sums = usageFrom((name) => (usageCounts[name].addsUp ? sum(before[name], step[name]) : undefined));
  return { ...before, ...step, ...sums };
}

function countsOf(fields: JsonObject): Counts {
  const cache = objectOf(fields['cache']);
  const thinking = objectOf(fields['output_tokens_details'])['thinking_tokens'];
  return {
    input: sum(count(fields, usageCounts.inputTokens.aliases), count(fields, toolInput)),
    output: count(fields, usageCounts.outputTokens.aliases),
    total: count(fields, usageCounts.totalTokens.aliases),
    cached: count(fields, usageCounts.cachedTokens.aliases) ?? countOf(cache['read']),
    cacheWrite: count(fields, usageCounts.cacheWriteTokens.aliases) ?? countOf(cache['write']),
    reasoning: count(fields, usageCounts.reasoningTokens.aliases) ?? countOf(thinking),
  };
}

/**
 * The convention that the counts keep to. Gateways and older versions of an agent count differently from what it usually does, so its own
 * total decides if it is the sum under one convention, and a part that is more than the whole can't be included in it.
 */
function fitting(counts: Counts, usual: UsageConvention): UsageConvention {
  const { inputExcludesCache = false, outputExcludesReasoning = false } = usual;
  const all = [
    { inputExcludesCache, outputExcludesReasoning },
    { inputExcludesCache, outputExcludesReasoning: !outputExcludesReasoning },
    { inputExcludesCache: !inputExcludesCache, outputExcludesReasoning },
    { inputExcludesCache: !inputExcludesCache, outputExcludesReasoning: !outputExcludesReasoning },
  ];
  const possible = all.filter((one) => isPossible(counts, one));
  return possible.find((one) => isTotal(counts, one)) ?? possible[0] ?? usual;
}

function isPossible(
  { input, output, cached = 0, cacheWrite = 0, reasoning = 0 }: Counts,
  one: UsageConvention,
): boolean {
  const fitsInput = one.inputExcludesCache === true || input === undefined || input >= cached + cacheWrite;
  return fitsInput && (one.outputExcludesReasoning === true || output === undefined || output >= reasoning);
}

function isTotal(counts: Counts, convention: UsageConvention): boolean {
  const { input, output } = whole(counts, convention);
  return input !== undefined && output !== undefined && input + output === counts.total;
}

function whole(counts: Counts, convention: UsageConvention): Pick<Counts, 'input' | 'output'> {
  const { input, output, cached = 0, cacheWrite = 0, reasoning = 0 } = counts;
  return {
    input: input === undefined || convention.inputExcludesCache !== true ? input : input + cached + cacheWrite,
    output: output === undefined || convention.outputExcludesReasoning !== true ? output : output + reasoning,
  };
}

function complete(counts: Counts, convention: UsageConvention): Pick<Counts, 'input' | 'output' | 'total'> {
  const { total, reasoning } = counts;
  const { input, output } = whole(counts, convention);
  if (total === undefined || input === undefined || output === undefined) return { input, output, total };
  // Reasoning that only the total includes.
  const isHidden = convention.outputExcludesReasoning === true && reasoning === undefined && total > input + output;
  return isHidden ? { input, output: total - input, total } : { input, output, total: input + output };
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : a + (b ?? 0);
}

function count(fields: JsonObject, from: readonly string[]): number | undefined {
  const name = from.find((each) => countOf(fields[each]) !== undefined);
  return name === undefined ? undefined : countOf(fields[name]);
}

function countOf(value: unknown): number | undefined {
  const number = numberOf(value);
  return number === undefined || number < 0 ? undefined : number;
}
