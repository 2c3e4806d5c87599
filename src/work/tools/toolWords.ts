import type { Level } from '../../text/level';
import type { ActivityFact } from '../activity';
import { boundedActivity } from '../boundedActivity';
import type { Ended } from '../step';
import type { Work } from '../work';

const facts: ReadonlySet<string> = new Set<ActivityFact['type']>(['turn', 'tool', 'terminal', 'permission']);

/** Whether the outcome of a tool call depends on the fact, so that readers have to follow it for the words of their records. */
function isWorded({ type }: ActivityFact): boolean {
  return facts.has(type);
}

/** Bounds what a reader reports, and follows it if words of records depend on it. */
export function followed(fact: ActivityFact, work: Pick<Work, 'see'>): ActivityFact {
  const bounded = boundedActivity(fact);
  if (isWorded(bounded)) work.see(bounded);
  return bounded;
}

/** The outcome of a tool call in its record: `failed`, `completed`. */
export function outcomeWord({ outcome }: Ended): string {
  return outcome === 'error' ? 'failed' : outcome === 'ok' ? 'completed' : (outcome ?? 'completed');
}

/** The level of the record. Whether a failed tool is a problem is for the diagnosis to say. */
export function outcomeLevel({ outcome }: Ended): Level {
  return outcome === 'ok' ? 'info' : 'notice';
}
