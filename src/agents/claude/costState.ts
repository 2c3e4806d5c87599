import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import { BoundedMap } from '../../text/boundedMap';
import type { JsonObject } from '../../text/json';
import { numberOf, objectOf, textOf } from '../../text/json';
import type { Usage } from '../../work/activity';
import { costWeight } from '../../work/usage/costShares';
import { addUsage, usageOf } from '../../work/usage/usage';
import { SessionSum } from '../reading/saved/sessionSum';
import { convention } from './usage';

/** Maximum number of models, and of answers whose lines may follow. */
const maxModels = 50;
const maxAnswers = 1000;
const subagentTools = new Set(['Agent', 'Task', 'Workflow']);

/**
 * `cost-state`: what a session cost so far, which its program saves when it exits. Only there are the cost, and the tokens of requests that aren't part of the
 * conversation, such as compactions. A fork continues its origin's sum.
 */
export class CostState {
  private readonly tokens = new SessionSum();
  /** The highest sum of each model, in US dollars, by when the sum began. Another process may have begun at 0, or lack what one did beside it. */
  private readonly costs = new Map<string, number>();
  /** What each model used in turns that were copied. */
  private readonly copied = new Map<string, Usage>();
  private readonly answers = new BoundedMap<string, true>(maxAnswers);
  /** True if subagents ran since the last sum, which includes them. */
  private hasSubagents = false;

  /** Counts an answer once. */
  answered(message: JsonObject, blocks: readonly JsonObject[], isCopied: boolean): void {
    this.hasSubagents ||= blocks.some(({ name }) => subagentTools.has(textOf(name) ?? ''));
    const id = textOf(message['id']) ?? '';
    if (this.answers.has(id)) return;
    this.answers.set(id, true);
    const usage = usageOf(objectOf(message['usage']), 'turn', { convention });
    if (!usage) return;
    this.tokens.count(usage);
    const model = textOf(message['model']);
    if (!isCopied || model === undefined || this.copied.size > maxModels) return;
    this.copied.set(model, addUsage(this.copied.get(model), usage) ?? usage);
  }

  read(line: JsonObject, writer: AgentWriter): void {
    // It is saved after the end of the last turn.
    writer.settle();
    const models = Object.entries(objectOf(line['modelUsage'])).slice(0, maxModels);
    let sum: Usage = { basis: 'turn' };
    const costs: Record<string, number> = {};
    for (const [model, value] of models) {
      const used = usageIn(objectOf(value));
      sum = addUsage(sum, used) ?? sum;
      const total = numberOf(objectOf(value)['costUSD']) ?? 0;
      const key = `${numberOf(line['startTime']) ?? ''} ${model}`;
      const before = this.costs.get(key) ?? this.copiedCost(model, total, used);
      this.costs.set(key, Math.max(total, before));
      const cost = total - before;
      if (cost > 0) costs[model] = cost;
    }
    this.copied.clear();
    const rest = this.tokens.restOf(sum);
    const spent = this.hasSubagents ? undefined : rest;
    this.hasSubagents = false;
    writer.spentInAll(costs, spent);
  }

  /** Of a fork's copies, the share that their tokens have. */
  private copiedCost(model: string, total: number, used: Usage | undefined): number {
    const copied = this.copied.get(model);
    return copied && used ? total * Math.min(1, costWeight(copied) / costWeight(used)) : 0;
  }
}

function usageIn(model: JsonObject): Usage | undefined {
  const fields = {
    input_tokens: model['inputTokens'],
    output_tokens: model['outputTokens'],
    cache_read_input_tokens: model['cacheReadInputTokens'],
    cache_creation_input_tokens: model['cacheCreationInputTokens'],
  };
  return usageOf(fields, 'turn', { convention });
}
