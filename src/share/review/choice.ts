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

/** `minimal` leaves out all content: what remains is which steps there were, how long they took, how they ended, log messages and problems. */
export function choiceOf(preset: Preset): ShareChoice {
  return including(preset === 'full' ? sharedContents : []);
}

/** The choice of a caller who names what to include. What is personal or suspicious is replaced. */
export function including(contents: readonly SharedContent[]): ShareChoice {
  return { include: new Set(contents), replacesPersonal: true, cutsSuspects: true };
}
