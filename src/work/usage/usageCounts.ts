import type { Words } from '../../text/translator';
import { t } from '../../text/translator';
import type { Usage } from '../activity';

export type UsageCount = Exclude<keyof Usage, 'basis'>;

interface CountOfUsage {
  /** Whether it adds up over the requests of a turn, and over turns. The context doesn't. */
  readonly addsUp: boolean;
  /** The names of the field in what agents report. */
  readonly aliases: readonly string[];
  readonly label: Words;
  /** The attribute's name behind `gen_ai.usage.` if it is standard, otherwise behind `agent_logs.usage.`. */
  readonly otlp: string;
  readonly isStandard: boolean;
  /** Other names of a standard attribute: in older conventions, also behind a prefix, and in other instrumentations. */
  readonly oldOtlp?: readonly string[];
  readonly otherAttributes?: readonly string[];
}

/** What a usage has. A field of `Usage` that is missing here is a type error. */
export const usageCounts: Readonly<Record<UsageCount, CountOfUsage>> = {
  inputTokens: {
    addsUp: true,
    aliases: ['inputTokens', 'input_tokens', 'input', 'promptTokenCount'],
    label: t('Input tokens'),
    otlp: 'input_tokens',
    isStandard: true,
    oldOtlp: ['prompt_tokens'],
    otherAttributes: ['llm.token_count.prompt', 'ai.usage.promptTokens', 'ai.usage.inputTokens'],
  },
  outputTokens: {
    addsUp: true,
    aliases: ['outputTokens', 'output_tokens', 'output', 'candidatesTokenCount'],
    label: t('Output tokens'),
    otlp: 'output_tokens',
    isStandard: true,
    oldOtlp: ['completion_tokens'],
    otherAttributes: ['llm.token_count.completion', 'ai.usage.completionTokens', 'ai.usage.outputTokens'],
  },
  totalTokens: {
    addsUp: true,
    aliases: ['totalTokens', 'total_tokens', 'total', 'totalTokenCount'],
    label: t('Total tokens'),
    otlp: 'total_tokens',
    isStandard: false,
  },
  cachedTokens: {
    addsUp: true,
    aliases: [
      'cachedReadTokens',
      'cacheReadTokens',
      'cache_read_input_tokens',
      'cached_input_tokens',
      'cachedContentTokenCount',
      'cacheRead',
      'cached',
    ],
    label: t('Read from cache'),
    otlp: 'cache_read.input_tokens',
    isStandard: true,
    oldOtlp: ['cache_read_input_tokens'],
    otherAttributes: ['llm.token_count.prompt_details.cache_read', 'ai.usage.cachedInputTokens'],
  },
  cacheWriteTokens: {
    addsUp: true,
    aliases: [
      'cachedWriteTokens',
      'cacheWriteTokens',
      'cache_creation_input_tokens',
      'cache_write_input_tokens',
      'cacheWrite',
    ],
    label: t('Written to cache'),
    otlp: 'cache_write.input_tokens',
    isStandard: true,
    oldOtlp: ['cache_creation.input_tokens', 'cache_creation_input_tokens'],
    otherAttributes: ['llm.token_count.prompt_details.cache_write'],
  },
  reasoningTokens: {
    addsUp: true,
    aliases: [
      'thoughtTokens',
      'reasoningTokens',
      'reasoning_output_tokens',
      'thoughtsTokenCount',
      'reasoning',
      'thoughts',
    ],
    label: t('Reasoning tokens'),
    otlp: 'reasoning.output_tokens',
    isStandard: true,
    oldOtlp: ['reasoning_tokens'],
    otherAttributes: ['llm.token_count.completion_details.reasoning', 'ai.usage.reasoningTokens'],
  },
  contextTokens: { addsUp: false, aliases: [], label: t('Context'), otlp: 'context_tokens', isStandard: false },
  contextWindow: { addsUp: false, aliases: [], label: t('Context'), otlp: 'context_window', isStandard: false },
  costUsd: { addsUp: true, aliases: [], label: t('Cost'), otlp: 'cost_usd', isStandard: false },
};

/** All counts, in order. */
export const countNames = Object.keys(usageCounts) as readonly UsageCount[];

/** The counts that add up, in order. */
export const addedCounts = countNames.filter((name) => usageCounts[name].addsUp);

/** A usage with the counts that this returns a number for, and no others. */
export function usageFrom(count: (name: UsageCount) => number | undefined): Partial<Usage> {
  return Object.fromEntries(
    countNames.flatMap((name) => {
      const value = count(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
