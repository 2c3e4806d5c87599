// @ts-check
// Starts a child in its own process group and leaves it behind when stdin ends. The child keeps the agent's stderr open, so that pipe only ends when the
// child exits. On Windows, a child that isn't detached ends with its parent. A log after initialize gives its PID. As a safeguard the child exits after
// a minute.
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
