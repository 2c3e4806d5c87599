import type { JsonObject } from '../../text/json';
import { isObject, numberOf, textOf } from '../../text/json';
import type { Usage } from '../../work/activity';
import type { UsageCount } from '../../work/usage/usageCounts';
import { usageCounts, usageFrom } from '../../work/usage/usageCounts';

/** What it used; the input includes what came from the cache. */
export function usageIn(a: JsonObject): Usage | undefined {
  if (isObject(a['agent_logs.usage'])) return ownUsage(a['agent_logs.usage']);
  const basis = textOf(a['agent_logs.usage.basis']);
  const counts = usageFrom((name) => countIn(a, name));
  if (Object.keys(counts).length === 0) return undefined;
  const isOurs = basis === 'cumulative' || basis === 'request' || basis === 'unknown';
  return { ...counts, basis: isOurs ? basis : 'turn' };
}

/** As our own export of Chrome traces has it; anyone may have written the file. */
function ownUsage(usage: JsonObject): Usage {
  const basis = usage['basis'];
  const counts = Object.entries(usage).filter(([, value]) => numberOf(value) !== undefined);
  return {
    ...(Object.fromEntries(counts) as Partial<Usage>),
    basis: basis === 'turn' || basis === 'cumulative' || basis === 'request' ? basis : 'unknown',
  };
}

function countIn(a: JsonObject, count: UsageCount): number | undefined {
  const { otlp, isStandard, oldOtlp = [], otherAttributes = [] } = usageCounts[count];
  const own = `agent_logs.usage.${otlp}`;
  if (!isStandard) return numberOf(a[own]);
  const names = [otlp, ...oldOtlp];
  const all = [
    ...names.map((name) => `gen_ai.usage.${name}`),
    ...otherAttributes,
    ...names.map((name) => `agent_logs.usage.${name}`),
  ];
  const found = all.find((name) => isCount(a[name]));
  return found === undefined ? undefined : numberOf(a[found]);
}

function isCount(value: unknown): boolean {
  return (numberOf(value) ?? -1) >= 0;
}
