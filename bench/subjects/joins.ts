// Reads the runs of an agent and of its MCP server, and joins their calls: at once, and again after each hundred as Turns does live.
import type { RunProtocol } from '../../src/wire/protocol';
import { RecordStore } from '../../src/store/store';
import { JoinedCalls } from '../../src/runLog/joins/joinedCalls';
import type { JoinedRun } from '../../src/runLog/joins/joinedRun';
import { interpretation } from '../../src/runLog/reading/interpretation';
import { RunLog } from '../../src/runLog/runLog';
import { WireLine } from '../../src/wire/wireLine';

/** CPU times in milliseconds, because other programs may be running. */
export interface MeasuredJoins {
  readonly calls: number;
  readonly joined: number;
  readonly readMs: number;
  readonly joinMs: number;
  /** Joining what is new since the last hundred, the slowest time. */
  readonly againMs: number;
}

const calls = Number(process.argv[2] ?? 5000);
const chunks = 20;
const sessionId = '5e551017-0000-4000-8000-000000000001';

/** The lines of one call, with as many chunks of text as a model writes around it. */
function linesOf(call: number): readonly [agent: WireLine[], server: WireLine[]] {
  const start = 1e12 + call * 1000;
  const line = (ms: number, dir: 'a2c' | 'c2a', message: object): WireLine =>
    WireLine.of(start + ms, dir, JSON.stringify({ jsonrpc: '2.0', ...message }));
  const update = (ms: number, fields: object): WireLine =>
    line(ms, 'a2c', { method: 'session/update', params: { sessionId, update: fields } });
  const input = { path: `src/file-${call % 50}.ts`, head: 100 };
  const toolCallId = `call-${call}`;
  const text = (ms: number): WireLine =>
    update(ms, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'a few words of the answer ' } });
  const tool = { sessionUpdate: 'tool_call', toolCallId, title: 'mcp__files__read_file', status: 'in_progress' };
  return [
    [
      ...Array.from({ length: chunks }, (_, index) => text(index)),
      update(100, { ...tool, rawInput: input }),
      update(900, { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' }),
    ],
    [
      line(200, 'c2a', { id: call, method: 'tools/call', params: { name: 'read_file', arguments: input } }),
      line(300, 'a2c', { method: 'notifications/message', params: { level: 'info', data: 'reading the file' } }),
      line(800, 'a2c', { id: call, result: { content: [{ type: 'text', text: 'the text of the file' }] } }),
    ],
  ];
}

function runOf(name: string, protocol: RunProtocol): JoinedRun {
  return { id: name, name, protocol, log: new RunLog(new RecordStore(1e9), 0) };
}

const [agent, server] = [runOf('agent', 'acp'), runOf('files', 'mcp')];
const [agentReader, serverReader] = [interpretation('acp', agent.log), interpretation('mcp', server.log)];
const prompt = { sessionId, prompt: [{ type: 'text', text: 'Read the files.' }] };
const lines = Array.from({ length: calls }, (_, call) => linesOf(call));
const joins = new JoinedCalls(() => [agent, server]);
agentReader.accept(
  WireLine.of(1e12 - 1, 'c2a', JSON.stringify({ jsonrpc: '2.0', id: 'p', method: 'session/prompt', params: prompt })),
);
let [readMs, joinMs, againMs] = [0, 0, 0];
for (const [index, [asked, answered]] of lines.entries()) {
  const before = process.cpuUsage();
  for (const one of asked) agentReader.accept(one);
  for (const one of answered) serverReader.accept(one);
  readMs += since(before);
  if (index % 100 !== 99) continue;
  const from = process.cpuUsage();
  joins.endsOf(agent);
  againMs = Math.max(againMs, since(from));
}
const from = process.cpuUsage();
const ends = new JoinedCalls(() => [agent, server]).endsOf(agent);
joinMs = since(from);
const measured: MeasuredJoins = { calls, joined: ends.size, readMs, joinMs, againMs };
console.log(JSON.stringify(measured));

function since(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
