import type { Level } from '../../text/level';
import type { Ended } from '../step';

/** The outcome of a tool call in its record: `failed`, `completed`. */
export function outcomeWord({ outcome }: Ended): string {
  return outcome === 'error' ? 'failed' : outcome === 'ok' ? 'completed' : (outcome ?? 'completed');
}

/** The level of the record. Whether a failed tool is a problem is for the diagnosis to say. */
export function outcomeLevel({ outcome }: Ended): Level {
  return outcome === 'ok' ? 'info' : 'notice';
}
