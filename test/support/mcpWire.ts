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
    const protocolVersion = '2025-11-25';
    const result = { protocolVersion, capabilities, serverInfo: { name: 'S', version: '1' } };
    return this.ask(0, 'initialize', { protocolVersion }, result);
  }

  call(id: unknown, name: string, progressToken?: unknown): this {
    const meta = progressToken === undefined ? {} : { _meta: { progressToken } };
    return this.ask(id, 'tools/call', { name, arguments: {}, ...meta });
  }

  progress(params: object, dir: WireDirection = 'a2c'): this {
    return this.send(dir, { method: 'notifications/progress', params });
  }

  logs(params: unknown): LogRecord {
    this.tell('notifications/message', params);
    return this.log.store.query({ limit: 1 })[0]!;
  }

  /** The progress of each open request. */
  get progresses(): (RequestProgress | undefined)[] {
    return this.log.requests.map(({ progress }) => progress);
  }
}
