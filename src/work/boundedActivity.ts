import { ownEnds, ownKey } from '../text/ownText';
import type { ActivityFact } from './activity';
import { maxActivityId } from './activity';

/** Maximum length of a fact's text, in characters: enough for both ends of an output, a command line, or an error in JSON. */
const maxText = 8192;
/** Fields that name a call, a question or a task. */
const ids: ReadonlySet<string> = new Set(['id', 'parentId', 'toolId', 'terminals']);

/**
 * Cuts every text of an activity. Readers report facts only through this, so that nothing that is made from them keeps or searches a text
 * of any length.
 */
export function boundedActivity<F extends ActivityFact>(fact: F): F {
  return bounded(fact) as F;
}

function bounded(fields: object): object {
  let cut: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(fields) as [string, unknown][]) {
    // The line isn't a text of the fact; changes of files and the error of a response are bounded already.
    const isWhole = name === 'event' || name === 'changes' || (name === 'error' && typeof value === 'object');
    const kept = isWhole ? value : boundedValue(value, ids.has(name));
    if (kept !== value) (cut ??= { ...fields })[name] = kept;
  }
  return cut ?? fields;
}

function boundedValue(value: unknown, isId: boolean): unknown {
  if (typeof value === 'string') return isId ? ownKey(value, maxActivityId) : ownEnds(value, maxText);
  if (Array.isArray(value)) {
    const kept = value.map((one: unknown) => boundedValue(one, isId));
    return kept.every((one, n) => one === value[n]) ? value : kept;
  }
  return typeof value === 'object' && value !== null ? bounded(value) : value;
}
