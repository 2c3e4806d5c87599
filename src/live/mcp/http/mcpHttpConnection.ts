import { SdkHttpError, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { inEnglish, t } from '../../../text/translator';
import { connectionWords, losses } from '../../../protocols/connectionWords';
import type { Why } from '../../../wire/wireEvent';
import type { AgentConnection, Wire } from '../../connection/agentConnection';
import type { StopGrace } from '../../process/agentProcess';
import type { HttpTapListener } from './httpTap';
import { HttpTap } from './httpTap';
import type { RemoteSpec } from '../../config/launchSpec';
import { hasToken } from '../../config/launchSpec';
import { within } from '../../../time/waiting';
import { McpCalls } from '../mcpCalls';
import type { McpClientOptions, McpConnect } from '../mcpClient';
import { McpClient } from '../mcpClient';
import { McpLogin } from '../login/mcpLogin';

/** How broken streams are resumed; times in milliseconds. */
const reconnection = {
  initialReconnectionDelay: 1000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 5,
};

/** An MCP server over HTTP: "Streamable HTTP", or the older "HTTP with SSE" if the server has nothing else. */
export class McpHttpConnection implements AgentConnection, HttpTapListener {
  readonly pid = undefined;
  readonly client: McpClient;
  readonly ended: Promise<undefined>;
  private readonly tap: HttpTap;
  private readonly login: McpLogin | undefined;
  private readonly settleEnded: () => void;
  private transport: StreamableHTTPClientTransport | undefined;
  /** Whether all responses come on one stream, as in the older transport. */
  private dependsOnStream = false;
  private connected = false;
  private lastAttempt = false;
  private stopping = false;
  private skipWait: (() => void) | undefined;
  private lost: Why | undefined;

  constructor(
    private readonly spec: RemoteSpec,
    private readonly wire: Wire,
    options: McpClientOptions,
  ) {
    const calls = new McpCalls();
    if (options.login && !hasToken(spec)) this.login = new McpLogin(options.agentName, spec, options.login);
    this.tap = new HttpTap(wire, calls, this, this.login);
    this.client = new McpClient(calls, (connect) => this.dial(connect), { ...options, address: spec.url });
    let settle = (): void => undefined;
    this.ended = new Promise((resolve) => (settle = () => resolve(undefined)));
    this.settleEnded = settle;
    wire.onProcessEvent({ ev: 'connect', url: spec.url });
  }

  get isStopping(): boolean {
    return this.stopping;
  }

  stop(grace: StopGrace): void {
    if (this.stopping) this.skipWait?.();
    else void this.close(grace.close);
  }

  onUnreachable(method: string, why: Why): void {
    if (method === 'GET') this.failedGet(why);
    else this.lose(why);
  }

  onRefused(method: string, status: number): void {
    // MCP "Session Management": the server no longer knows the session.
    if (method === 'POST' && status === 404 && this.transport?.sessionId !== undefined) {
      this.lose(losses.unknownSession);
    } else if (method === 'GET') this.failedGet([`HTTP ${status}`]);
  }

  onStreamOpen(): void {
    this.lastAttempt = false;
  }

  onStreamEnd(): void {
    if (this.dependsOnStream) this.lose(losses.closedStream);
  }

  private failedGet(why: Why): void {
    if (this.lastAttempt) this.lose(why);
  }

  private lose(why: Why): void {
    if (!this.connected || this.stopping || this.lost !== undefined) return;
    this.lost = why;
    this.wire.onLost(losses.connection(why));
  }

  private async close(graceMs: number): Promise<void> {
    this.stopping = true;
    this.login?.dispose();
    if (this.connected && this.lost === undefined) await this.leaveSession(graceMs);
    await this.client.finish(
      this.lost === undefined ? t('was disconnected') : t('lost its connection ({0})', connectionWords(this.lost)),
    );
    this.wire.onProcessEvent({
      ev: 'disconnect',
      ...(this.lost && { message: inEnglish(connectionWords(this.lost)), why: this.lost }),
    });
    this.settleEnded();
  }

  /** Ends the session at the server (MCP "Session Management"). */
  private async leaveSession(graceMs: number): Promise<void> {
    const skipped = new Promise<void>((resolve) => (this.skipWait = resolve));
    const left = this.transport?.terminateSession().catch(() => undefined);
    await within(graceMs, Promise.race([left, skipped])).catch(() => undefined);
  }

  private async dial(connect: McpConnect): Promise<void> {
    const url = new URL(this.spec.url);
    const common = { fetch: this.tap.fetch, requestInit: { headers: { ...this.spec.headers } } };
    const transport = new StreamableHTTPClientTransport(url, {
      ...common,
      reconnectionOptions: reconnection,
      reconnectionScheduler: (reconnect, ms, attempt) => this.reconnect(reconnect, ms, attempt + 1),
    });
    try {
      await connect(transport, 'auto');
      this.transport = transport;
    } catch (error) {
      if (!this.isOldPerhaps(error) || this.stopping) throw error;
      // Some servers have nothing newer.
      // eslint-disable-next-line @typescript-eslint/no-deprecated
      const old = new SSEClientTransport(url, common);
      try {
        await connect(old, 'legacy');
      } catch {
        await old.close(); // Otherwise it would retry forever.
        throw error; // The first error says more.
      }
      this.dependsOnStream = true;
    }
    this.connected = true;
    if (this.login) this.login.mayAsk = true;
  }

  /** Whether the server may have only the older transport, which refuses a POST (MCP "Backwards Compatibility"). */
  private isOldPerhaps(error: unknown): boolean {
    return error instanceof SdkHttpError && [400, 404, 405, 406, 415].includes(error.status);
  }

  private reconnect(reconnect: () => void, ms: number, attempt: number): () => void {
    if (this.stopping) return () => undefined;
    this.wire.onProcessEvent({ ev: 'reconnect', attempt, ms });
    const timer = setTimeout(() => {
      this.lastAttempt = attempt >= reconnection.maxRetries;
      reconnect();
    }, ms);
    return () => clearTimeout(timer);
  }
}
