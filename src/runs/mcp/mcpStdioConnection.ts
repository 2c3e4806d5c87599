import type { Message } from 'vscode-jsonrpc/node';
import type { AgentConnection, Wire } from '../connection/agentConnection';
import type { Exit, StopGrace } from '../process/agentProcess';
import type { LaunchSpec } from '../config/launchSpec';
import { LastOutput } from '../process/lastOutput';
import { McpCalls } from './mcpCalls';
import type { McpClientOptions, McpConnect } from './mcpClient';
import type { McpLibrary } from './mcpError';
import { McpClient } from './mcpClient';
import { McpStdioTransport } from './mcpStdioTransport';
import { ProcessLink } from '../process/processLink';
import type { ProcessReaper } from '../process/processReaper';
import { Cancelled } from '../waiting';

/** Error codes with which a modern server refuses `initialize` (MCP 2026-07-28 "Versioning"): unknown method, or unknown version. */
const modernRefusals: ReadonlySet<number> = new Set([-32601, -32022]);

/** An MCP server that is a process (MCP "stdio"). */
export class McpStdioConnection implements AgentConnection {
  readonly client: McpClient;
  readonly ended: Promise<Exit>;
  private transport: McpStdioTransport | undefined;
  /** Set if the first process exited on `server/discover`: resolves with whether another was started. */
  private again: Promise<boolean> | undefined;

  private constructor(
    private readonly library: McpLibrary,
    private link: ProcessLink,
    private readonly calls: McpCalls,
    private readonly restart: () => Promise<ProcessLink>,
    private readonly output: LastOutput,
    private readonly wire: Wire,
    private readonly options: McpClientOptions,
  ) {
    this.client = new McpClient(library, calls, (connect) => this.dial(connect), options);
    this.ended = this.live();
  }

  static async start(
    library: McpLibrary,
    spec: LaunchSpec,
    reaper: ProcessReaper,
    wire: Wire,
    options: McpClientOptions,
  ): Promise<McpStdioConnection> {
    const calls = new McpCalls();
    const output = new LastOutput();
    const start = (): Promise<ProcessLink> =>
      ProcessLink.start(
        spec,
        reaper,
        output.watching(wire),
        ({ method, params }) => calls.notified(method, params) as Message | undefined,
      );
    return new McpStdioConnection(library, await start(), calls, start, output, wire, options);
  }

  get isGone(): boolean {
    return this.link.isGone;
  }

  get pid(): number {
    return this.link.pid;
  }

  stop(grace: StopGrace): void {
    this.link.stop(grace);
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
    if (diedInProbe) this.again = this.startAgain(link);
    link.flow.close();
    await link.finish(this.client);
    return link.ended;
  }

  /** Returns whether it started another process. A server that exited for any other reason would exit again. */
  private async startAgain(died: ProcessLink): Promise<boolean> {
    const exit = await died.ended;
    const { mayBeRefusal } = await import('../../diagnosis/failures/probeRefusal');
    if (died.isStopping) throw new Cancelled();
    if (!mayBeRefusal(exit, this.output.stderr, this.output.stdout)) return false;
    this.wire.onProcessEvent({ ev: 'exit', ...exit });
    const link = await this.restart();
    const isStopping = this.link.isStopping;
    this.link = link;
    void this.watch(link);
    if (isStopping) link.stop({ close: 0, terminate: 0 });
    return true;
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
      if (!(error instanceof this.library.ProtocolError) || !modernRefusals.has(error.code)) throw error;
      // It answered `server/discover` too late, and doesn't know `initialize`.
      return connect(this.newTransport(), 'modern');
    }
  }

  private newTransport(): McpStdioTransport {
    this.transport = new McpStdioTransport(this.link.pid, this.link.writer, this.calls);
    return this.transport;
  }
}
