import { changesCommands } from '../changes/changesCommand';
import { compareCommands } from '../compare/compareCommand';
import { usageCommands } from '../usage/usageCommand';
import { shareCommands } from '../share/shareCommand';
import type { CommandId } from '../../manifest/commands';
import { addAgentCommands } from './addAgent';
import { callToolCommands } from './mcp/callTool';
import type { Command, CommandServices } from './commandContext';
import { checkMcpCommands } from './mcp/checkMcpCommands';
import { explorerCommands } from './explorerCommands';
import { exportCommands } from './exportCommands';
import { fileCommands } from './fileCommands';
import { journalCommands } from './journalCommands';
import { levelCommands } from './levelCommands';
import { loginCommands } from './loginCommands';
import { problemCommands } from './problemCommands';
import { replayCommands } from './replayCommands';
import { runCommands } from './runCommands';
import { keepCommands } from './keepCommands';
import { savedCommands } from './savedCommands';
import { searchCommands } from './searchCommand';
import { sessionCommands } from './sessionCommands';
import { Targets } from './targets';
import { watchMcpCommands } from './mcp/watchMcpCommands';

const commands: Readonly<Record<CommandId, Command>> = {
  ...changesCommands,
  ...compareCommands,
  ...addAgentCommands,
  ...callToolCommands,
  ...checkMcpCommands,
  ...explorerCommands,
  ...exportCommands,
  ...fileCommands,
  ...journalCommands,
  ...levelCommands,
  ...loginCommands,
  ...problemCommands,
  ...replayCommands,
  ...runCommands,
  ...savedCommands,
  ...keepCommands,
  ...searchCommands,
  ...sessionCommands,
  ...shareCommands,
  ...usageCommands,
  ...watchMcpCommands,
};

/** Runs a command. Loaded when the first one is used. */
export function commandRunner(services: CommandServices): (id: CommandId, arg: unknown) => Promise<unknown> {
  const context = { ...services, targets: new Targets(services), memory: { lastQuery: '' } };
  return (id, arg) => commands[id](context, arg);
}
