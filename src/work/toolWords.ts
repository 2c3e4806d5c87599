import type { Level } from '../log/level';
import type { ActivityFact } from './activity';
import type { Ended } from './step';

const facts: ReadonlySet<string> = new Set<ActivityFact['type']>(['turn', 'tool', 'terminal', 'permission']);

/** Whether the outcome of a tool call depends on the fact, so that readers have to follow it for the words of their records. */
export function isWorded({ type }: ActivityFact): boolean {
  return facts.has(type);
}

/** The outcome of a tool call in its record: `failed`, `completed`. */
export function outcomeWord({ outcome }: Ended): string {
  return outcome === 'error' ? 'failed' : outcome === 'ok' ? 'completed' : (outcome ?? 'completed');
}

/** The level of the record. A failed tool is a warning, because agents try again. */
export function outcomeLevel({ outcome }: Ended): Level {
  return outcome === 'error' ? 'warning' : outcome === 'ok' ? 'info' : 'notice';
}
