import type { ContentBlock } from '@agentclientprotocol/sdk';
import { answer } from './answer';
import type { Command } from './command';
import { commands } from './commands';

/** A parsed prompt. */
export interface Prompt {
  readonly text: string;
  readonly input: string;
  readonly run: Command['run'];
}

/** Finds the command in a prompt. Without one, it is plain text to answer. */
export function parsePrompt(blocks: readonly ContentBlock[]): Prompt {
  const text = blocks.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
  const match = /^\s*\/(\S+)\s*([^]*)$/.exec(text);
  const [, name, input = ''] = match ?? [];
  if (name === undefined) return { text, input: text, run: answer };
  const command = commands.find((each) => each.name === name);
  return { text, input, run: command ? (turn) => command.run(turn) : notThere(name) };
}

function notThere(name: string): Command['run'] {
  return async (turn) => {
    await turn.log('warning', 'sample.session', `Unknown command: /${name}`);
    await turn.say(`Unknown command: /${name}. Send /help for a list.`);
  };
}
