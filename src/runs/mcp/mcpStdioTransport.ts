import type { JsonObject } from '../../protocols/json';
import type { JsonRpcWriter } from '../../wire/jsonRpcWriter';
import type { McpCalls } from './mcpCalls';
import type { JSONRPCMessage, Transport } from './mcpLibrary';

/** A transport for the MCP library over the pipes of a process. Closing it doesn't end the process. */
export class McpStdioTransport implements Transport {
  /** With these two the library recognizes a process. */
  readonly stderr = null;
  /** Whether `initialize` was sent. */
  greeted = false;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private closed = false;

  constructor(
    readonly pid: number,
    private readonly writer: JsonRpcWriter,
    private readonly calls: McpCalls,
  ) {}

  start(): Promise<void> {
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message && message.method === 'initialize') this.greeted = true;
    this.calls.sending(message);
    await this.writer.write(message);
  }

  /** Passes a message to the library; it must be valid JSON-RPC. */
  receive(message: JsonObject): void {
    if (!this.closed) this.onmessage?.(message as unknown as JSONRPCMessage);
  }

  close(): Promise<void> {
    if (!this.closed) {
      this.closed = true;
      this.onclose?.();
    }
    return Promise.resolve();
  }
}
