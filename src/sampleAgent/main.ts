// The sample agent that ships with Agent Logs: an ACP agent over stdin and stdout that needs no model and no API key.
import { agent, methods, ndJsonStream } from '@agentclientprotocol/sdk';
import { Readable, Writable } from 'node:stream';
import { Connection, parseInitialize, parseSetLevel, setLevelMethod } from './connection';
import { SampleAgent } from './sampleAgent';

/** Frequent enough to show that the connection is alive without flooding the log. */
const heartbeatMs = 10_000;

const { session, initialize } = methods.agent;
const { client } = agent({ name: 'agent-logs-sample' })
  .onRequest(initialize, parseInitialize, ({ params }) => sample.initialize(params))
  .onRequest(setLevelMethod, parseSetLevel, ({ params }) => sample.setLevel(params))
  .onRequest(session.new, ({ params }) => sample.newSession(params))
  .onRequest(session.list, ({ params }) => sample.listSessions(params))
  .onRequest(session.load, ({ params }) => sample.resumeSession(params.sessionId, true))
  .onRequest(session.resume, ({ params }) => sample.resumeSession(params.sessionId, false))
  .onRequest(session.prompt, ({ params, signal }) => sample.prompt(params, signal))
  .onRequest(session.close, ({ params }) => sample.close(params.sessionId))
  .onRequest(session.setMode, ({ params }) => sample.setMode(params))
  .onNotification(session.cancel, ({ params }) => sample.cancel(params.sessionId))
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
const sample: SampleAgent = new SampleAgent(new Connection(client));

// At the end of stdin, the connection closes, all turns are cancelled, and the process exits because nothing keeps it alive.
setInterval(() => sample.beat(), heartbeatMs).unref();
