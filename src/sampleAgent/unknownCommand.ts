import { methods } from '@agentclientprotocol/sdk';
import type { Command } from './command';

export const unknownCommand: Command = {
  name: 'unknown',
  description: 'Sends an update and a notification that no client knows.',
  async run(turn) {
    const { client } = turn.session.link;
    const sessionId = turn.session.id;
    const update = { sessionUpdate: '_sample_mood', mood: 'curious', confidence: 0.7 };
    await client.notify(methods.client.session.update, { sessionId, update });
    await client.notify('_sample/weather', { sessionId, sky: 'cloudy', celsius: 7 });
    await turn.say('Sent the update "_sample_mood" and the notification "_sample/weather".');
  },
};
