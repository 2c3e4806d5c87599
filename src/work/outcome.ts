/** How a step ended. `unanswered`: its end never came. `unknown`: it ended, but whether the user allowed it can't be seen. */
export type Outcome = 'ok' | 'error' | 'cancelled' | 'refused' | 'unanswered' | 'unknown';

/** An end that a message reports. */
export type ReportedOutcome = Exclude<Outcome, 'unanswered' | 'unknown'>;

/** A symbol for each, so that it doesn't depend on color. `open`: it hasn't ended. */
export const outcomeGlyphs = {
  ok: '✓',
  error: '✗',
  cancelled: '⊘',
  refused: '⊖',
  unanswered: '?',
  unknown: '?',
  open: '…',
} as const satisfies Readonly<Record<Outcome | 'open', string>>;

/** Whether a step failed, which it also did if its end never came. Everything that counts failures asks this. */
export function hasFailed({ outcome }: { readonly outcome?: string | undefined }): boolean {
  return outcome === 'error' || outcome === 'unanswered';
}
