import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { methods } from '@agentclientprotocol/sdk';
import type { Command } from './command';
import type { Turn } from './turn';

interface Job {
  readonly title: string;
  readonly description: string;
  readonly command: string;
  readonly jobs: readonly Job[];
}

const job: Job = {
  title: 'Review the change',
  description: 'reads the diff and reports problems',
  command: 'git diff --stat',
  jobs: [{ title: 'Run the tests', description: 'Runs them once', command: 'npm test', jobs: [] }],
};

export const subagents: Command = {
  name: 'subagents',
  description: 'Starts a subagent that starts another one, each in its own session.',
  async run(turn) {
    await work(turn, turn.session.id, job);
    await turn.say('Both subagents are done.');
  },
};

/** Announces a child session, works in it, and reports its end. */
async function work(turn: Turn, parent: string, { title, description, command, jobs }: Job): Promise<void> {
  const sessionId = turn.host.newId();
  const announce = (fields: object): Promise<void> =>
    send(turn, parent, { sessionUpdate: 'subagent_update', sessionId, ...fields });
  await announce({ title, description, capabilities: {}, state: { state: 'running' } });
  const toolCallId = turn.host.newId();
  const tool = { toolCallId, title: command, kind: 'execute', rawInput: { command } };
  await send(turn, sessionId, { sessionUpdate: 'tool_call', ...tool, status: 'in_progress' });
  for (const child of jobs) await work(turn, sessionId, child);
  await turn.sleep(300);
  await send(turn, sessionId, { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' });
  const content = { type: 'text', text: `${title}: done.` };
  await send(turn, sessionId, { sessionUpdate: 'agent_message_chunk', content });
  await announce({ state: { state: 'idle', stopReason: 'end_turn' } });
}

/** Subagent updates aren't part of the SDK's stable types yet. */
function send(turn: Turn, sessionId: string, update: object): Promise<void> {
  return turn.session.link.client.notify(methods.client.session.update, { sessionId, update: update as SessionUpdate });
}
