import type { AnswerOf, ArgsOf, CallName } from '../ui/explorer/messages';
import type { View } from './view';

/** The page as its parts see it: `Explorer`. */
export interface Page {
  readonly view: View;
  update(change: Partial<View>): void;
  /** Calls the host, and uses its answer. A failure is shown. */
  ask<Name extends CallName>(name: Name, args: ArgsOf<Name>, use?: (answer: AnswerOf<Name>) => void): void;
  /** Pauses, or keeps the newest rows of the tab in view. */
  setFollow(follow: boolean): void;
  /** Saves the state once the view has settled. */
  keepLater(): void;
  /** Shows the log, and moves the focus there. */
  showLog(): void;
}
