// @ts-check
// Preloaded into a server: when the process that started it dies, even by SIGKILL, the pipe on its standard input closes, and the
// server goes with its whole group. Node passes `--import` on to what the server forks, so only the server itself may act on it.
import { basename } from 'node:path';

if (basename(process.argv[1] ?? '') === 'server-main.js') {
  process.stdin.resume();
  process.stdin.on('end', () => process.kill(-process.pid, 'SIGKILL'));
}
