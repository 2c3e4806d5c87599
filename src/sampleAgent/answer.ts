import type { PlanEntryStatus } from '@agentclientprotocol/sdk';
import type { Turn } from './turn';
import { SampleToolCall } from './turn';

const contextSize = 200_000;
const steps = ['Read the prompt', 'Look at the workspace', 'Write an answer'];

/** Answers plain text with a short turn like a real agent's, and logs at every level. */
export async function answer(turn: Turn): Promise<void> {
  const { session } = turn;
  await plan(turn, 0);
  await turn.log('debug', 'sample.session', 'Prompt read', { characters: turn.input.length, mode: session.modeId });
  if (session.verbose) await think(turn);
  await turn.sleep(40);

  await plan(turn, 1);
  await look(turn);

  await plan(turn, 2);
  await turn.log('notice', 'sample.model', 'Switched to sample-1: sample-2 is busy', {
    from: 'sample-2',
    to: 'sample-1',
  });
  await turn.log('critical', 'sample.model', 'The context window is nearly full', { used: 194_120, size: contextSize });
  await turn.stream(
    `You said ${JSON.stringify(turn.input.trim())}. I'm the sample agent: I have no model, but I log at every level. Send /help for what else I can do.`,
  );
  await turn.log('alert', 'sample.model', 'The API key expires today', { key: 'sample', days: 0 });
  await turn.log('emergency', 'sample.session', 'No model available: this answer is scripted');
  await plan(turn, steps.length);
  await session.update({ sessionUpdate: 'usage_update', used: 194_120 + turn.input.length, size: contextSize });
}

/** Calls a tool that succeeds, and one that fails. */
async function look(turn: Turn): Promise<void> {
  const read = await SampleToolCall.start(turn, 'Read README.md', 'read', { path: 'README.md' });
  await read.update('in_progress');
  await turn.log('info', 'sample.tools', 'Reading README.md', { toolCallId: read.id, tool: 'read' });
  await turn.sleep(80);
  await read.update('completed', { lines: 42 });

  const find = await SampleToolCall.start(turn, 'Search for "TODO"', 'search', { pattern: 'TODO', path: '.' });
  await find.update('in_progress');
  await turn.log('warning', 'sample.tools', 'Slow search: no index', { toolCallId: find.id, ms: 61 });
  await turn.sleep(60);
  await turn.log('error', 'sample.tools', 'Search exited with code 2', {
    toolCallId: find.id,
    exitCode: 2,
    error: { name: 'SearchError', message: 'permission denied: ./private', cause: { code: 'EACCES' } },
  });
  await find.update('failed', { exitCode: 2 });
}

/** Adds thoughts in the mode "verbose". */
async function think(turn: Turn): Promise<void> {
  const text = 'The user sent a prompt. I should look at the workspace before I answer.';
  await turn.session.update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } });
  await turn.log('debug', 'sample.model', 'Model request', {
    model: 'sample-2',
    temperature: 0,
    messages: [{ role: 'user', content: turn.input }],
    tools: ['read', 'search', 'delete'],
  });
}

/** Sends the plan with `done` steps completed and the next one in progress. */
function plan(turn: Turn, done: number): Promise<void> {
  const status = (index: number): PlanEntryStatus =>
    index < done ? 'completed' : index === done ? 'in_progress' : 'pending';
  const entries = steps.map((content, index) => ({ content, priority: 'medium' as const, status: status(index) }));
  return turn.session.update({ sessionUpdate: 'plan', entries });
}
