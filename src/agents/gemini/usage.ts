import type { UsageConvention } from '../../work/usage/usage';

/** `promptTokenCount` includes cached content; `candidatesTokenCount` doesn't include thoughts, which the total does. */
export const convention: UsageConvention = { outputExcludesReasoning: true };
