import type { Action } from '../../runs/actions';
import type { contextKeys } from './contextKeys';

/** What the manifest says of a command. Its title is in `package.nls.json`, under its id. */
export type CommandEntry = Enablement & Palette & CommandPlaces;

interface CommandPlaces {
  /** A codicon. Only variants of one command share one. */
  readonly icon: string;
  readonly places?: readonly Place[];
  readonly keys?: readonly Key[];
}

/** A command is disabled while it can't be used, or never for a reason. */
type Enablement = { readonly enabled: keyof typeof contextKeys } | { readonly always: string };

/** Commands are in the palette unless they can't ask for what they need. */
type Palette =
  /** While some shown run can do it. */
  | { readonly action: Action; readonly palette?: never; readonly hidden?: never }
  /** A `when` clause, if any. */
  | { readonly palette?: string; readonly action?: never; readonly hidden?: never }
  /** Why it is never there. */
  | { readonly hidden: string; readonly action?: never; readonly palette?: never };

/** A place in a menu. `at` is its group and order. */
export type Place = RowPlace | OtherPlace;

/** In the menu of the tree's rows whose `viewItem` has the command's word. */
interface RowPlace {
  readonly in: 'row';
  readonly at: string;
  /** Only of some rows: a regular expression of what precedes the word. */
  readonly of?: string;
  /** Default: the command's name. */
  readonly word?: string;
}

interface OtherPlace {
  readonly in: 'title' | 'output' | 'explorer' | 'anyExplorer' | 'record' | 'tab' | 'file';
  readonly at: string;
  readonly when?: string;
}

export interface Key {
  /** Where the focus must be. */
  readonly in: 'tree' | 'anyExplorer';
  readonly key: string;
  readonly mac?: string;
  /** The command gets the focused row. */
  readonly ofRow?: boolean;
}
