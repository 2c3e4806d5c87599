import type { Command } from './command';
import { numberOr } from './numberOr';
import { ToolCall } from './toolCall';

export const crashCommand: Command = {
  name: 'crash',
  description: 'Writes an error to stderr and exits in the middle of the turn.',
  hint: 'exit code, 1 if none is given',
  async run(turn) {
    const code = Math.floor(numberOr(turn.input, { least: 0, most: 255, otherwise: 1 }));
    const call = await ToolCall.start(turn, 'Divide by zero', 'execute', { command: 'expr 1 / 0' });
    await call.update('in_progress');
    await turn.log('critical', 'sample.session', `About to exit with code ${code}`, { code });
    const error = new Error(`The sample agent was asked to crash with exit code ${code}`);
    await turn.host.writeError(`Uncaught ${error.stack ?? error.message}\n`);
    await turn.host.exit(code);
  },
};
