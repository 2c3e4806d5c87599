import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { methods } from '@agentclientprotocol/sdk';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { askPermission } from './permission';
import type { Turn, Command } from './turn';

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
  description: 'Starts a subagent that starts another one, each in a session of its own. Each can be cancelled.',
  hint: '"ask" to let the inner one ask for permission',
  async run(turn) {
    await work(turn, turn.session.id, job, turn.signal);
    await turn.say('Both subagents are done.');
  },
};

/** Announces a child session, works in it, and reports its end. */
async function work(turn: Turn, parent: string, job: Job, parentSignal: AbortSignal): Promise<void> {
  const sessionId = randomUUID();
  const { children } = turn.session;
  const controller = new AbortController();
  children.set(sessionId, controller);
  const announce = (fields: object): Promise<void> =>
    send(turn, parent, { sessionUpdate: 'subagent_update', sessionId, ...fields });
  const { title, description } = job;
  await announce({ title, description, capabilities: { cancel: {} }, state: { state: 'running' } });
  let stopReason = 'end_turn';
  try {
    await workIn(turn, sessionId, job, AbortSignal.any([parentSignal, controller.signal]));
  } catch (error) {
    if (!controller.signal.aborted || parentSignal.aborted) throw error;
    stopReason = 'cancelled';
  } finally {
    children.delete(sessionId);
  }
  await announce({ capabilities: null, state: { state: 'idle', stopReason } });
}

async function workIn(
  turn: Turn,
  sessionId: string,
  { title, command, jobs }: Job,
  signal: AbortSignal,
): Promise<void> {
  const tool = { toolCallId: randomUUID(), title: command, kind: 'execute' as const, rawInput: { command } };
  const { toolCallId } = tool;
  await send(turn, sessionId, { sessionUpdate: 'tool_call', ...tool, status: 'in_progress' });
  for (const child of jobs) await work(turn, sessionId, child, signal);
  const isAsking = jobs.length === 0 && turn.input.trim() === 'ask';
  const isAllowed = !isAsking || (await askPermission(turn, sessionId, tool, signal)).allowed;
  await setTimeout(300, undefined, { signal });
  const status = isAllowed ? 'completed' : 'failed';
  await send(turn, sessionId, { sessionUpdate: 'tool_call_update', toolCallId, status });
  const content = { type: 'text', text: `${title}: ${isAllowed ? 'done' : 'not allowed'}.` };
  await send(turn, sessionId, { sessionUpdate: 'agent_message_chunk', content });
}

/** Subagent updates aren't part of the SDK's stable types yet. */
function send(turn: Turn, sessionId: string, update: object): Promise<void> {
  return turn.session.connection.client.notify(methods.client.session.update, {
    sessionId,
    update: update as SessionUpdate,
  });
}
