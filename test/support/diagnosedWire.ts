import { RecordStore } from '../../src/store/store';
import type { Protocol } from '../../src/wire/protocol';
import { interpretation } from '../../src/runLog/reading/interpretation';
import type { DiagnosisData } from '../../src/diagnosis/diagnosis';
import { describeActivity } from '../../src/diagnosis/sessionSummary';
import type { Interpretation } from '../../src/runLog/reading/interpretation';
import { RunLog } from '../../src/runLog/runLog';
import type { ProcessEvent, WireDirection, WireEvent } from '../../src/wire/wireEvent';

/** A diagnosed run with one event per millisecond, or after `wait`. */
export class DiagnosedWire {
  readonly log = new RunLog(new RecordStore(1e7), 0);
  readonly diagnoser: Interpretation;
  private t = 0;
  private lastId = 0;

  constructor(readonly protocol: Protocol = 'acp') {
    this.diagnoser = interpretation(protocol, this.log);
  }

  /** A run that is initialized and has the session `session-1`. */
  static withSession(capabilities: object = {}, result: object = {}): DiagnosedWire {
    const initialize = { protocolVersion: 1, clientCapabilities: capabilities };
    return new DiagnosedWire()
      .ask('initialize', initialize, { protocolVersion: 1, ...result })
      .ask('session/new', { cwd: '/', mcpServers: [] }, { sessionId: 'session-1' });
  }

  /** A run of version 2 of the protocol that has this session. */
  static version2(): DiagnosedWire {
    return new DiagnosedWire()
      .ask('initialize', { protocolVersion: 2 }, { protocolVersion: 2 })
      .ask('session/new', { cwd: '/', mcpServers: [] }, { sessionId: 'session-1' });
  }

  wait(ms: number): this {
    this.t += ms;
    return this;
  }

  /** Lets time pass without events, and notifies the interpreter. */
  quiet(ms: number): this {
    this.t += ms;
    this.diagnoser.quiet(this.t);
    return this;
  }

  send(dir: WireDirection, msg: unknown): this {
    return this.accept({ t: ++this.t, dir, line: JSON.stringify(msg), msg });
  }

  /** A message from the agent. */
  says(msg: object): this {
    return this.send('a2c', { jsonrpc: '2.0', ...msg });
  }

  /** A request of the client, with a response if one is given. */
  ask(method: string, params: object, result?: unknown): this {
    const id = ++this.lastId;
    this.send('c2a', { jsonrpc: '2.0', id, method, params });
    return result === undefined ? this : this.says({ id, result });
  }

  /** A response to the client's latest request. */
  answer(result: unknown): this {
    return this.says({ id: this.lastId, result });
  }

  /** Ends the turn, as agents mostly do. */
  end(): this {
    return this.answer({ stopReason: 'end_turn' });
  }

  refuse(code: number, message: string, data?: unknown): this {
    return this.says({ id: this.lastId, error: { code, message, ...(data !== undefined && { data }) } });
  }

  tell(method: string, params: object): this {
    return this.send('c2a', { jsonrpc: '2.0', method, params });
  }

  prompt(text = 'Do it.'): this {
    return this.ask('session/prompt', { sessionId: 'session-1', prompt: [{ type: 'text', text }] });
  }

  /** The user cancels the turn. */
  cancel(): this {
    return this.tell('session/cancel', { sessionId: 'session-1' });
  }

  update(update: object): this {
    return this.says({ method: 'session/update', params: { sessionId: 'session-1', update } });
  }

  /** A tool call, which is the first unless its fields say otherwise. */
  call(title: string, status: string, more: object = {}): this {
    return this.update({ sessionUpdate: 'tool_call', toolCallId: '1', title, status, ...more });
  }

  /** Changes the tool call. */
  called(status: string, more: object = {}): this {
    return this.update({ sessionUpdate: 'tool_call_update', toolCallId: '1', status, ...more });
  }

  chunk(text: string): this {
    return this.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  }

  /** A request of the agent to the client, which `reply` answers. */
  asks(id: number, method: string, params: object): this {
    return this.says({ id, method, params });
  }

  reply(id: number, result: object): this {
    return this.send('c2a', { jsonrpc: '2.0', id, result });
  }

  /** @param how an exit code, or a signal */
  exit(how: number | string): this {
    const [code, signal] = typeof how === 'number' ? [how, null] : [null, how];
    return this.process({ ev: 'exit', code, signal });
  }

  stderr(line: string): this {
    return this.accept({ t: ++this.t, dir: 'err', line });
  }

  stdout(line: string): this {
    return this.accept({ t: ++this.t, dir: 'a2c', line });
  }

  process(event: ProcessEvent): this {
    return this.accept({ t: ++this.t, dir: 'ev', ...event });
  }

  accept(event: WireEvent): this {
    this.diagnoser.accept(event);
    return this;
  }

  /** `level [session] code: message` of each diagnosis. */
  get said(): string[] {
    return this.log.store
      .query({ kinds: ['diagnosis'] })
      .map(({ level, sessionId, logger = '', message }) => `${level} [${sessionId ?? ''}] ${logger}: ${message}`);
  }

  /** The first of them, '' if there is none. */
  get first(): string {
    return this.said[0] ?? '';
  }

  /** The codes of all diagnoses, with their levels. */
  get codes(): string[] {
    return this.log.store.query({ kinds: ['diagnosis'] }).map(({ level, logger = '' }) => `${logger} ${level}`);
  }

  get counts(): number[] {
    return this.data.map(({ count }) => count);
  }

  /** The codes that begin like this. */
  about(code: string): string[] {
    return this.codes.filter((each) => each.startsWith(code));
  }

  get data(): DiagnosisData[] {
    return this.log.store.query({ kinds: ['diagnosis'] }).map(({ data }) => data as DiagnosisData);
  }

  /** The summary of a session, or of the run. */
  summary(sessionId?: string): string {
    const summary = this.log.find(sessionId)?.summary;
    return summary ? describeActivity(summary, this.t) : '';
  }
}
