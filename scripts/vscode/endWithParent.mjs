// @ts-check
// Preloaded into a server. If the process that started it dies, even by SIGKILL, the pipe on stdin closes, and the
// server ends its whole process group. Node passes `--import` to forks, so only the server itself may act.
import { basename } from 'node:path';

if (basename(process.argv[1] ?? '') === 'server-main.js') {
  process.stdin.resume();
  process.stdin.on('end', () => process.kill(-process.pid, 'SIGKILL'));
}
