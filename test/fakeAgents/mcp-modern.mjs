// @ts-check
// A server that supports 2026-07-28 only. Its argument is the delay of its `server/discover` response, in milliseconds.
import { FakeMcpServer } from './lib/fakeMcpServer.mjs';

const [, , delay = '0'] = process.argv;
const server = new FakeMcpServer({ era: 'modern' });
server.handlers.set('server/discover', async () => {
  await new Promise((resolve) => setTimeout(resolve, Number(delay)));
  return server.discover();
});

// Tools that run as tasks; the argument is the series of states that polls get, the last one for ever.
let count = 0;
/** @type {Map<string, object[]>} */
const tasks = new Map();
const call = server.handlers.get('tools/call');
server.handlers.set('tools/call', (params, id, send) => {
  if (params['name'] !== 'task') return call?.(params, id, send);
  const taskId = `task-${++count}`;
  const { states } = /** @type {{ states: object[] }} */ (params['arguments']);
  tasks.set(taskId, [...states]);
  return { resultType: 'task', content: [], taskId, status: 'working', ttlMs: null, pollIntervalMs: 1 };
});
server.handlers.set('tasks/get', ({ taskId }) => {
  const states = tasks.get(String(taskId)) ?? [];
  return { taskId, ttlMs: null, pollIntervalMs: 1, ...(states.length > 1 ? states.shift() : states[0]) };
});
for (const method of ['tasks/update', 'tasks/cancel']) server.handlers.set(method, () => ({}));
server.serve();
