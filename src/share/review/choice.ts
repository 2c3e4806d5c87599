import type { SharedContent } from '../sharedRun';
import { sharedContents } from '../sharedRun';

/** What of a run leaves the machine. */
export interface ShareChoice {
  readonly include: ReadonlySet<SharedContent>;
  /** Home folders, names of users and hosts, and e-mail addresses are replaced. */
  readonly replacesPersonal: boolean;
  /** What may be a secret is cut. */
  readonly cutsSuspects: boolean;
}

export type Preset = 'full' | 'minimal';

/**
 * `minimal` leaves out all content, and all texts that may quote it: what remains is which steps there were, how long they took, how they
 * ended, who logged at which level, and problems in the product's own words.
 */
export function choiceOf(preset: Preset): ShareChoice {
  return including(preset === 'full' ? sharedContents : []);
}

/** The choice of a caller who names what to include. What is personal or suspicious is replaced. */
export function including(contents: readonly SharedContent[]): ShareChoice {
  return { include: new Set(contents), replacesPersonal: true, cutsSuspects: true };
}
