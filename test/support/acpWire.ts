import type { LogRecord } from '../../src/text/record';
import { AcpReader } from '../../src/protocols/acp/acpReader';
import { acpExtensions } from '../../src/agents/agents';
import { InterpretedWire } from './interpretedWire';

/** A run that speaks ACP. */
export class AcpWire extends InterpretedWire {
  constructor() {
    super((context) => new AcpReader(context, acpExtensions));
  }

  update(update: Record<string, unknown>, sessionId = 'session-1'): this {
    return this.send('a2c', { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } });
  }

  logs(params: unknown, method = 'log'): LogRecord {
    this.send('a2c', { jsonrpc: '2.0', method, params });
    return this.log.store.query({ limit: 1 })[0]!;
  }
}
