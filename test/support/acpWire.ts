import type { LogRecord } from '../../src/text/record';
import { AcpReader } from '../../src/protocols/acp/acpReader';
import { acpExtensions } from '../../src/agents/agents';
import { InterpretedWire } from './interpretedWire';

/** A run that speaks ACP. */
export class AcpWire extends InterpretedWire {
  constructor() {
    super((context) => new AcpReader(context, acpExtensions));
  }

  /** A run that speaks this version. */
  static speaking(protocolVersion: number): AcpWire {
    return new AcpWire().ask(1, 'initialize', { protocolVersion }, { protocolVersion });
  }

  prompt(id: unknown, text = 'Do it.', more: object = {}, sessionId = 'session-1'): this {
    return this.ask(id, 'session/prompt', { sessionId, prompt: [{ type: 'text', text }], ...more });
  }

  /** The agent accepts a prompt of version 2. */
  accepted(id: unknown, messageId = `m${String(id)}`): this {
    return this.answer(id, { messageId });
  }

  state(state: string, more: object = {}, sessionId?: string): this {
    return this.update({ sessionUpdate: 'state_update', state, ...more }, sessionId);
  }

  /** The whole turn of a session has ended. */
  idle(sessionId?: string): this {
    return this.state('idle', { stopReason: 'end_turn' }, sessionId);
  }

  chunk(text: string, more: object = {}, sessionId?: string): this {
    return this.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, ...more }, sessionId);
  }

  update(update: Record<string, unknown>, sessionId = 'session-1'): this {
    return this.tell('session/update', { sessionId, update });
  }

  logs(params: unknown, method = 'log'): LogRecord {
    this.tell(method, params);
    return this.log.store.query({ limit: 1 })[0]!;
  }

  /** `level logger: message` of the records of `session-1`, without durations. */
  get told(): string[] {
    const records = this.log.store.query({ sessionId: 'session-1' });
    return records.map(({ level, logger, message }) => `${level} ${logger}: ${message.replace(/\d+ ms/, '… ms')}`);
  }

  /** `title: outcome` of each turn. */
  get turns(): string[] {
    return this.log.spans({ kinds: ['turn'] }).map(({ title, outcome }) => `${title}: ${outcome}`);
  }
}
