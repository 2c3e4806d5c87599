import type { Command } from './command';

/** @param commands what to list, asked when it is run: the command itself is one of them */
export function createHelpCommand(commands: () => readonly Command[]): Command {
  return {
    name: 'help',
    description: 'Lists the commands.',
    async run(turn) {
      const list = commands().map(({ name, description, hint }) =>
        hint === undefined ? `/${name}: ${description}\n` : `/${name} (${hint}): ${description}\n`,
      );
      await turn.say(`Any text gets a made-up answer. These do what they say:\n${list.join('')}`);
    },
  };
}
