import type { UsageConvention } from '../../work/usage/usage';

/** OpenCode subtracts the cache from the input and reasoning from the output, whatever the provider's API does. */
export const convention: UsageConvention = { inputExcludesCache: true, outputExcludesReasoning: true };
