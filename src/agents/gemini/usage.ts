import type { UsageConvention } from '../../work/usage';

/** `promptTokenCount` includes cached content; `candidatesTokenCount` doesn't include thoughts, which the total does. */
export const convention: UsageConvention = { outputExcludesReasoning: true };
