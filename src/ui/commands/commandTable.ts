import { CompareCommand } from '../compare/compareCommand';
import type { CommandId } from '../ids';
import { AddAgentCommand } from './addAgent';
import { CallToolCommand } from './callTool';
import type { Command, CommandServices } from './commandContext';
import { ExplorerCommands } from './explorerCommands';
import { FileCommands } from './fileCommands';
import { ExportCommands } from './exportCommands';
import { JournalCommands } from './journalCommands';
import { LevelCommands } from './levelCommands';
import { LoginCommands } from './loginCommands';
import { ProblemCommands } from './problemCommands';
import { RunCommands } from './runCommands';
import { SavedCommands } from './savedCommands';
import { SearchCommand } from './searchCommand';
import { SessionCommands } from './sessionCommands';
import { Targets } from './targets';

/** All commands, by their ids. Loaded when the first of them is used. */
export function commandTable(services: CommandServices): Readonly<Record<CommandId, Command>> {
  const context = { ...services, targets: new Targets(services) };
  return {
    ...new AddAgentCommand(context).table,
    ...new CallToolCommand(context).table,
    ...new CompareCommand(context).table,
    ...new ExplorerCommands(context).table,
    ...new FileCommands(context).table,
    ...new JournalCommands(context).table,
    ...new ExportCommands(context).table,
    ...new LevelCommands(context).table,
    ...new LoginCommands(context).table,
    ...new ProblemCommands(context).table,
    ...new RunCommands(context).table,
    ...new SavedCommands(context).table,
    ...new SearchCommand(context).table,
    ...new SessionCommands(context).table,
  };
}
