// @ts-check
// On a prompt, sends requests that the client doesn't know or didn't offer, unknown notifications, unknown updates, and updates without a kind. Reports
// how each request was answered.
import { FakeAgent } from './lib/fakeAgent.mjs';

const agent = new FakeAgent();
agent.on('session/prompt', async () => {
  const sessionId = `fake-${agent.sessions}`;
  agent.notify('_fake/weather', { sky: 'cloudy' });
  agent.notify('session/unheard_of', { sessionId, n: 1 });
  agent.notify('elicitation/complete', { elicitationId: 'never-asked' });
  agent.update({ sessionUpdate: '_fake_mood', mood: 'curious' });
  agent.update({ sessionUpdate: 'hologram', depth: 3 });
  agent.update({ sessionUpdate: 'agent_message_chunk' });
  agent.update({ sessionUpdate: 42 });
  agent.update({});
  agent.notify('session/update', { sessionId });
  agent.notify('session/update', { sessionId: 'never-announced', update: { sessionUpdate: 'plan', entries: [] } });
  const answers = await Promise.all([
    agent.request('_fake/question', { question: 'Are you there?' }),
    agent.request('fs/read_text_file', { sessionId, path: '/etc/hostname' }),
    agent.request('terminal/create', { sessionId, command: 'true' }),
  ]);
  agent.say(answers.map((answer) => JSON.stringify(answer)).join('\n'));
  return { stopReason: 'end_turn' };
});
