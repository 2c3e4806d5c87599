// @ts-check
// Starts a child in its own process group and leaves it behind when stdin ends. The child holds the agent's stderr open, so that pipe ends
// only when the child is gone. On Windows, a child that isn't detached is ended with its parent. A log after initialize names its pid. The child ends by itself after a minute, so that it cannot be forgotten.
import { spawn } from 'node:child_process';
import { FakeAgent } from './lib/fakeAgent.mjs';

const agent = new FakeAgent();
const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], {
  stdio: ['ignore', 'ignore', 'inherit'],
  detached: process.platform === 'win32',
});
agent.on('initialize', () => {
  setImmediate(() => agent.log('info', 'Child started', { data: { pid: child.pid } }));
  return { protocolVersion: 1 };
});
