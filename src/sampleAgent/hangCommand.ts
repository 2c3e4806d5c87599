import { once } from 'node:events';
import type { Command } from './command';

export const hangCommand: Command = {
  name: 'hang',
  description: 'Never answers, unless it is cancelled.',
  async run(turn) {
    await turn.log('warning', 'sample.model', 'The model does not answer');
    if (!turn.signal.aborted) await once(turn.signal, 'abort');
    turn.signal.throwIfAborted();
  },
};
