import type { AgentConnection, Stream } from '@agentclientprotocol/sdk';
import { agent, methods } from '@agentclientprotocol/sdk';
import type { Host } from './host';
import { startHeartbeat } from './host';
import { parseSetLevel, setLevelMethod, keepLoggingCapability } from './logging';
import { SampleAgent } from './sampleAgent';
import { speakVersion2 } from './version2';

/** Connects the sample agent to a client. */
export function serve(stream: Stream, host: Host, version: string): AgentConnection {
  const sample = new SampleAgent(host, version);
  const { session } = methods.agent;
  return agent({ name: 'agent-logs-sample' })
    .onRequest(methods.agent.initialize, ({ params, client }) => sample.initialize(params, client))
    .onRequest(setLevelMethod, parseSetLevel, ({ params, client }) => sample.setLevel(params, client))
    .onRequest(session.new, ({ params, client }) => sample.newSession(params, client))
    .onRequest(session.list, ({ params }) => sample.listSessions(params))
    .onRequest(session.load, ({ params }) => sample.resumeSession(params.sessionId, true))
    .onRequest(session.resume, ({ params }) => sample.resumeSession(params.sessionId, false))
    .onRequest(session.prompt, ({ params, signal }) => sample.prompt(params, signal))
    .onRequest(session.close, ({ params }) => sample.close(params.sessionId))
    .onRequest(session.setMode, ({ params }) => sample.setMode(params))
    .onNotification(session.cancel, ({ params }) => sample.cancel(params.sessionId))
    .onConnect(({ client, signal }) => {
      const beat = (count: number, uptimeSeconds: number): void => {
        const data = { count, uptimeSeconds, sessions: sample.sessionCount };
        // Fails only if the connection is closed.
        sample.log(client, 'debug', 'sample.heartbeat', 'Still here', data).catch(() => undefined);
      };
      startHeartbeat(host.clock, beat, signal);
    })
    .connect(keepLoggingCapability(speakVersion2(stream)));
}
