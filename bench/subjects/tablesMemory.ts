// Reads a long run, and measures the memory of its tables of spans and of wire rows.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { AcpReader } from '../../src/protocols/acp/acpReader';
import { acpExtensions } from '../../src/agents/agents';
import { WireIndex } from '../../src/runLog/wire/wireIndex';
import { Timeline } from '../../src/timeline/timeline';
import type { Fact } from '../../src/work/facts';
import { Work } from '../../src/work/work';
import type { WireMessage } from '../../src/wire/wireEvent';

export interface MeasuredTables {
  readonly messages: number;
  /** Memory of the tables, in bytes. */
  readonly spanBytes: number;
  readonly wireBytes: number;
  readonly spans: number;
  readonly droppedSpans: number;
  readonly rows: number;
  readonly droppedRows: number;
}

const messages = Number(process.argv[2] ?? 1_000_000);
const toolsPerTurn = 10;
const chunksPerTool = 2;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

let timeline = new Timeline();
let work = new Work(timeline);
let wire = new WireIndex();
let sent = 0;
let reader = newReader();
let turns = 0;
while (sent < messages) turn(++turns);
const counts = countsOf();
const full = used();
timeline = new Timeline();
work = new Work(timeline);
reader = newReader();
const withoutSpans = used();
wire = new WireIndex();
const measured: MeasuredTables = {
  messages: sent,
  spanBytes: full - withoutSpans,
  wireBytes: withoutSpans - used(),
  ...counts,
};
process.stdout.write(JSON.stringify(measured));

function newReader(): AcpReader {
  const sink = { record: ignore, session: ignore, fact: (fact: Fact) => wire.see(fact, sent) };
  return new AcpReader({ sink, work }, acpExtensions);
}

/** In a function, so that no register keeps a table alive. */
function countsOf(): Omit<MeasuredTables, 'messages' | 'spanBytes' | 'wireBytes'> {
  const rows = { rows: wire.count, droppedRows: wire.dropped };
  return { spans: timeline.query().length, droppedSpans: timeline.evicted, ...rows };
}

/** A prompt, tool calls with text between them, and the answer. */
function turn(number: number): void {
  const sessionId = `5e551017-0000-4000-8000-${String(number % 20).padStart(12, '0')}`;
  const update = (fields: object): void =>
    accept('a2c', { method: 'session/update', params: { sessionId, update: fields } });
  const prompt = [{ type: 'text', text: `question ${number}` }];
  accept('c2a', { id: number, method: 'session/prompt', params: { sessionId, prompt } });
  for (let tool = 0; tool < toolsPerTurn; tool++) {
    const toolCallId = `call_${number}_${tool}`;
    const title = `npm run task${tool} -- --number ${number}`;
    update({ sessionUpdate: 'tool_call', toolCallId, title, name: 'Bash', kind: 'execute', status: 'in_progress' });
    for (let chunk = 0; chunk < chunksPerTool; chunk++) {
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `part ${chunk} ` } });
    }
    update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', rawOutput: { exitCode: 0 } });
  }
  const usage = { inputTokens: 100, outputTokens: 7, totalTokens: 107 };
  accept('a2c', { id: number, result: { stopReason: 'end_turn', usage } });
}

function accept(dir: WireMessage['dir'], fields: object): void {
  const msg = { jsonrpc: '2.0', ...fields };
  reader.accept({ t: Date.UTC(2026, 0, 1) + sent++ * 5, dir, line: JSON.stringify(msg), msg });
}

function used(): number {
  for (let round = 0; round < 3; round++) collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function ignore(): void {
  // Only the facts are used.
}
