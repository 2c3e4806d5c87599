import type { UsageConvention } from '../../work/usage/usage';

/** Anthropic's Messages API: `input_tokens` is what follows the last cache breakpoint; `output_tokens` includes thinking. */
export const convention: UsageConvention = { inputExcludesCache: true };
