import { RequestError } from '@agentclientprotocol/sdk';
import type { Command } from './command';

export const errorCommand: Command = {
  name: 'error',
  description: 'Answers the prompt with a JSON-RPC error.',
  async run(turn) {
    await turn.log('error', 'sample.model', 'The model refused the request', { status: 429, retryAfterSeconds: 30 });
    throw RequestError.internalError({ errorName: 'RateLimited', status: 429 }, 'the model refused the request');
  },
};
