// @ts-check
// On a prompt, logs one line that belongs to a trace (W3C Trace Context, in _meta) and one that doesn't.
import { FakeAgent } from './lib/fakeAgent.mjs';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const sessionId = 'a-session-of-some-length-0001';
const agent = new FakeAgent();
agent.on('session/new', () => ({ sessionId }));
agent.on('session/prompt', () => {
  agent.log('critical', `in a trace, in ${sessionId}`, {
    sessionId,
    logger: 'db',
    data: { rows: 3 },
    _meta: { traceparent },
  });
  agent.log('notice', 'in no trace', { sessionId });
  return { stopReason: 'end_turn' };
});
