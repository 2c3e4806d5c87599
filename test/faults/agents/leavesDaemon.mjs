// @ts-check
// Starts a process that leaves its group and session (setsid) and keeps the agent's stdout and stderr open, then exits as soon as stdin ends.
import { spawn } from 'node:child_process';
import { FakeAgent } from '../../fakeAgents/lib/fakeAgent.mjs';

const agent = new FakeAgent();
agent.on('initialize', () => {
  const daemon = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 30_000)'], {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  daemon.unref();
  setImmediate(() => agent.log('info', 'Daemon started', { data: { pid: daemon.pid } }));
  return { protocolVersion: 1 };
});
