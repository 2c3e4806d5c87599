import type { CommandId } from '../ids';
import type { CommandServices } from './commandServices';
import type { Targets } from './targets';

/** @param arg a `CommandTarget`, what another extension or a keyboard shortcut passes, or `undefined` */
export type Command = (arg: unknown) => Promise<unknown>;

/** The commands of one class. */
export type CommandTable = Readonly<Partial<Record<CommandId, Command>>>;

/** What each class of commands gets. */
export interface CommandContext extends CommandServices {
  readonly targets: Targets;
}
