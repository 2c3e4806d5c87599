import { agentEntries } from './agentEntries';
import type { CommandEntry } from './commandEntry';
import { prefix } from './names';
import { recordEntries } from './recordEntries';

/**
 * Every command, by the last part of its id. `npm run docs` writes `package.json` from it; `surfaces/commands/commandTable.ts` says what each
 * one does.
 */
export const commands = { ...agentEntries, ...recordEntries };

type CommandName = keyof typeof commands;
export type CommandId = `${typeof prefix}.${CommandName}`;

/** Their ids, such as `agentLogs.stop`. */
export const commandIds = Object.fromEntries(Object.keys(commands).map((name) => [name, `${prefix}.${name}`])) as {
  readonly [Name in CommandName]: `${typeof prefix}.${Name}`;
};

/** What the palette offers only while some shown run, or a session of one, can do it. */
export const paletteActions = Object.values<CommandEntry>(commands).flatMap(({ action }) => (action ? [action] : []));
