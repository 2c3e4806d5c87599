/** How a step ended. `unanswered`: its end never came. `unknown`: it ended, but whether the user allowed it can't be seen. */
export type Outcome = 'ok' | 'error' | 'cancelled' | 'refused' | 'unanswered' | 'unknown';

/** Whether a step failed, which it also did if its end never came. Everything that counts failures asks this. */
export function hasFailed({ outcome }: { readonly outcome?: string | undefined }): boolean {
  return outcome === 'error' || outcome === 'unanswered';
}
