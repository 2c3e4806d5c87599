import type { AnswerOf, ArgsOf, CallName, RecordAction, Tab } from '../explorer/page/messages';
import type { Id } from './list/rows';
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
  /** Shows a tab, and moves the focus there; with what a record is about, whatever the filter. */
  show(tab: Tab, seq?: number): void;
  /** Does something with a record, on the host's side. */
  act(name: RecordAction, seq: Id): void;
}
