// An agent that logs `rate` messages a second for `seconds` when prompted with `/flood RATE SECONDS`. If the client is slow,
// messages are sent late, but never dropped.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const tickMs = 5;
let sessions = 0;

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params: { readonly sessionId: string; readonly prompt: readonly [{ readonly text: string }] };
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line) as Message;
  if (method === 'initialize') answer(id, { protocolVersion: 1, agentCapabilities: {} });
  else if (method === 'session/new') answer(id, { sessionId: sessionId(sessions++) });
  else if (method === 'session/prompt') void flood(id, params);
  else if (id !== undefined) answer(id, {});
});

async function flood(id: unknown, { sessionId: prompted, prompt }: Message['params']): Promise<void> {
  const [, rate = 0, seconds = 0] = prompt[0].text.split(' ').map(Number);
  const total = rate * seconds;
  const start = performance.now();
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - start) / 1000) * rate));
    let text = '';
    for (; sent < due; sent++) text += logLine(sent, total, prompted);
    if (text !== '' && !process.stdout.write(text)) await once(process.stdout, 'drain');
    await delay(tickMs);
  }
  answer(id, { stopReason: 'end_turn', _meta: { tookMs: performance.now() - start } });
}

/** About 260 bytes. The last message belongs to the prompted session. */
function logLine(n: number, total: number, prompted: string): string {
  const of = n === total - 1 ? prompted : sessionId(n % sessions);
  const message = `message ${n} of ${total} reading the file context window`;
  const data = `{"file":"src/search/index.ts","ms":${n % 1000}}`;
  return `{"jsonrpc":"2.0","method":"log","params":{"sessionId":"${of}","level":"info","logger":"bench","timestamp":"2026-01-05T09:00:00.000Z","message":"${message}","data":${data}}}\n`;
}

function sessionId(n: number): string {
  return `5e551017-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

function answer(id: unknown, result: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}
