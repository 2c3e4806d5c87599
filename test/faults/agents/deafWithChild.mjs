// @ts-check
// Ignores the end of stdin, SIGTERM, SIGINT and SIGHUP, and so does its child in the same group. Both exit after a minute.
import { spawn } from 'node:child_process';
import { FakeAgent } from '../../fakeAgents/lib/fakeAgent.mjs';

const deaf = `for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined); setTimeout(() => process.exit(99), 60_000);`;
spawn(process.execPath, ['-e', deaf], { stdio: 'ignore' });
new FakeAgent({ onEnd: () => undefined });
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
setTimeout(() => process.exit(99), 60_000);
