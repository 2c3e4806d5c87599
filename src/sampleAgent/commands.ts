import type { AvailableCommand } from '@agentclientprotocol/sdk';
import type { Command } from './command';
import { crashCommand } from './crashCommand';
import { errorCommand } from './errorCommand';
import { floodCommand } from './floodCommand';
import { hangCommand } from './hangCommand';
import { createHelpCommand } from './helpCommand';
import { levelsCommand } from './levelsCommand';
import { noticeCommand } from './noticeCommand';
import { permissionCommand } from './permissionCommand';
import { slowCommand } from './slowCommand';
import { stderrCommand } from './stderrCommand';
import { unknownCommand } from './unknownCommand';

/** The one table of what the agent can be asked to do: `/help`, `available_commands_update` and the README come from it. */
export const commands: readonly Command[] = [
  levelsCommand,
  noticeCommand,
  permissionCommand,
  slowCommand,
  hangCommand,
  floodCommand,
  stderrCommand,
  errorCommand,
  crashCommand,
  unknownCommand,
  createHelpCommand(() => commands),
];

/** The table in the form of ACP. */
export function availableCommands(): AvailableCommand[] {
  return commands.map(({ name, description, hint }) => ({
    name,
    description,
    ...(hint !== undefined && { input: { hint } }),
  }));
}
