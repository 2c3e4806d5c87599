// A small ACP agent without dependencies that shows every way to log. Start it with `node agent.mts` (Node 22.18 or later).
import { createInterface } from 'node:readline';
import { createLog } from './agentLog.mts';

interface Params {
  readonly clientCapabilities?: Parameters<typeof log.begin>[0] & {
    readonly session?: { readonly notices?: object } | null;
  };
  readonly level?: string;
}

const write = (message: object) => void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const notify = (method: string, params: object) => write({ method, params });
const log = createLog(notify);
const sessionId = 'session-1';
let takesNotices = false;

const update = (what: object) => notify('session/update', { sessionId, update: what });

/** Handlers by request method. */
const answers: Readonly<Record<string, (params: Params) => object>> = {
  initialize({ clientCapabilities = {} }) {
    log.begin(clientCapabilities);
    takesNotices = Boolean(clientCapabilities.session?.notices);
    return { protocolVersion: 1, agentInfo: { name: 'sample-typescript', version: '1.0.0' } };
  },
  'session/new'() {
    log.send('info', 'The index is loaded'); // belongs to no session
    return { sessionId };
  },
  'session/prompt'() {
    log.send('debug', 'Sent only at level debug', { sessionId });
    log.send('warning', 'The index is stale', { sessionId, logger: 'search', data: { ageSeconds: 86_400 } });
    process.stderr.write('WARN  cache: nothing is cached\n'); // always works; belongs to no session
    if (takesNotices) update({ sessionUpdate: 'notice', severity: 'warning', title: 'Two files were left out' }); // for the user
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Done.' } });
    return { stopReason: 'end_turn' };
  },
  'logging/setLevel'({ level }) {
    log.setLevel(level); // changes the level without a restart
    return {};
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line) as { id?: unknown; method?: string; params?: Params };
  if (id === undefined || method === undefined) return; // a notification, such as `session/cancel`
  const answer = answers[method];
  if (answer) write({ id, result: answer(params) });
  else write({ id, error: { code: -32601, message: `Method not found: ${method}` } });
});
