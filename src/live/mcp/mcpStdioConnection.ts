import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { ProtocolError } from '@modelcontextprotocol/client';
import type { Message } from 'vscode-jsonrpc/node';
import { mayBeRefusal } from '../../diagnosis/failures/endCause';
import type { Wire } from '../connection/agentConnection';
import type { Exit } from '../process/agentProcess';
import type { LaunchSpec } from '../config/launchSpec';
import { McpCalls } from './mcpCalls';
import type { McpClientOptions, McpConnect } from './mcpClient';
import { McpClient } from './mcpClient';
import { RestartableConnection, Starter } from '../process/processConnection';
import type { ProcessLink } from '../process/processLink';
import type { ProcessReaper } from '../process/processReaper';
import type { JsonObject } from '../../text/json';
import type { JsonRpcWriter } from '../../wire/jsonRpcWriter';
import { Cancelled } from '../../time/waiting';

/** Error codes with which a modern server refuses `initialize` (MCP 2026-07-28 "Versioning"): unknown method, or unknown version. */
const modernRefusals: ReadonlySet<number> = new Set([-32601, -32022]);

/** An MCP server that is a process (MCP "stdio"). */
export class McpStdioConnection extends RestartableConnection {
  readonly client: McpClient;
  readonly ended: Promise<Exit>;
  private transport: McpStdioTransport | undefined;
  /** Set if the first process exited on `server/discover`: resolves with whether another was started. */
  private again: Promise<boolean> | undefined;

  private constructor(
    link: ProcessLink,
    private readonly calls: McpCalls,
    starter: Starter,
    private readonly options: McpClientOptions,
  ) {
    super(link, starter);
    this.client = new McpClient(calls, (connect) => this.dial(connect), options);
    this.ended = this.live();
  }

  static async start(
    spec: LaunchSpec,
    reaper: ProcessReaper,
    wire: Wire,
    options: McpClientOptions,
  ): Promise<McpStdioConnection> {
    const calls = new McpCalls();
    const starter = new Starter(
      spec,
      reaper,
      wire,
      ({ method, params }) => calls.notified(method, params) as Message | undefined,
    );
    return new McpStdioConnection(await starter.start(), calls, starter, options);
  }

  /** Resolves when the last process has exited. Some servers exit if the first message isn't `initialize`. */
  private async live(): Promise<Exit> {
    const exit = await this.watch(this.link);
    if (!this.again) return exit;
    await this.again.catch(() => undefined);
    return this.link.ended;
  }

  private async watch(link: ProcessLink): Promise<Exit> {
    link.reader.listen((message) => {
      this.receive(message);
      setImmediate(() => link.flow.handled(message));
    });
    const how = await link.finished;
    const diedInProbe = how !== undefined && this.transport?.greeted === false && !this.again && !link.isStopping;
    if (diedInProbe) this.again = this.probeAgain(link);
    link.flow.close();
    await link.finish(this.client);
    return link.ended;
  }

  /** Returns whether it started another process. A server that exited for any other reason would exit again. */
  private async probeAgain(died: ProcessLink): Promise<boolean> {
    const link = await this.startAgain(died, mayBeRefusal);
    if (!link && died.isStopping) throw new Cancelled();
    if (link) void this.watch(link);
    return link !== undefined;
  }

  private receive(message: Message): void {
    const received = this.calls.received({ ...message });
    if (received) this.transport?.receive(received);
  }

  private async dial(connect: McpConnect): Promise<void> {
    try {
      await connect(this.newTransport(), 'auto', this.options.probeTimeout);
    } catch (error) {
      if ((await this.again) === true) return connect(this.newTransport(), 'legacy');
      if (!(error instanceof ProtocolError) || !modernRefusals.has(error.code)) throw error;
      // It answered `server/discover` too late, and doesn't know `initialize`.
      return connect(this.newTransport(), 'modern');
    }
  }

  private newTransport(): McpStdioTransport {
    this.transport = new McpStdioTransport(this.link.pid, this.link.writer, this.calls);
    return this.transport;
  }
}

/** A transport for the MCP library over the pipes of a process. Closing it doesn't end the process. */
class McpStdioTransport implements Transport {
  /** With these two the library recognizes a process. */
  readonly stderr = null;
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
