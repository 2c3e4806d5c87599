import type { LogRecord } from '../../src/text/record';
import { McpReader } from '../../src/protocols/mcp/mcpReader';
import type { RequestProgress } from '../../src/work/requests';
import type { WireDirection } from '../../src/wire/wireEvent';
import { InterpretedWire } from './interpretedWire';

/** A run that speaks MCP. */
export class McpWire extends InterpretedWire {
  constructor() {
    super((context) => new McpReader(context));
  }

  /** The server answers `initialize` with these capabilities. */
  initialized(capabilities: object = {}): this {
    return this.send('c2a', { id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } }).send('a2c', {
      id: 0,
      result: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'S', version: '1' } },
    });
  }

  call(id: unknown, name: string, progressToken?: unknown): this {
    const meta = progressToken === undefined ? {} : { _meta: { progressToken } };
    return this.send('c2a', { id, method: 'tools/call', params: { name, arguments: {}, ...meta } });
  }

  progress(params: object, dir: WireDirection = 'a2c'): this {
    return this.send(dir, { method: 'notifications/progress', params });
  }

  logs(params: unknown): LogRecord {
    this.send('a2c', { jsonrpc: '2.0', method: 'notifications/message', params });
    return this.log.store.query({ limit: 1 })[0]!;
  }

  /** The progress of each open request. */
  get progresses(): (RequestProgress | undefined)[] {
    return this.log.requests.map(({ progress }) => progress);
  }
}
