// @ts-check
// An agent that runs a command while it is asked to end, as agents do: `behindWrapper.mjs WRAPPER AGENT`.
// WRAPPER: `none`; `silent`: ends by SIGTERM without it (npx, Qwen Code, Copilot CLI); `forwards`: passes signals on (Codex).
// AGENT: `ends`: ends its command on SIGTERM; `deaf`: ignores SIGTERM (Gemini CLI without a terminal).
// Prints the PID of each process on a line. As a safeguard they all end after a minute.
import { spawn } from 'node:child_process';

const [wrapper, agent] = process.argv.slice(2);
setTimeout(() => process.exit(99), 60_000);
console.log(process.pid);
if (wrapper === 'none') run();
else wrap();

function wrap() {
  const child = spawn(process.execPath, [String(process.argv[1]), 'none', String(agent)], { stdio: 'inherit' });
  if (wrapper !== 'forwards') return;
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => (signal === null ? process.exit(code ?? 1) : process.kill(process.pid, signal)));
}

function run() {
  // In a session of its own, as commands of agents are.
  const command = spawn('sleep', ['60'], { stdio: 'ignore', detached: true });
  process.on('SIGTERM', () => {
    if (agent === 'deaf') return;
    if (command.pid !== undefined) process.kill(-command.pid);
    process.exit(143);
  });
  console.log(command.pid);
}
