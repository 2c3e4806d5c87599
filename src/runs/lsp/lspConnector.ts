import type { NotificationMessage } from 'vscode-jsonrpc/node';
import { contentLengthFraming } from '../../wire/lines/framing';
import type { AgentConnection, Connector, Wire } from '../connection/agentConnection';
import type { Exit, StopGrace } from '../process/agentProcess';
import type { LaunchSpec } from '../config/launchSpec';
import type { LspClientOptions } from './lspAgent';
import { LspAgent } from './lspAgent';
import { LspMessages } from './lspMessages';
import { ProcessLink } from '../process/processLink';
import type { ProcessReaper } from '../process/processReaper';

/** Starts a language server that speaks over stdin and stdout. */
export function lspConnector(spec: LaunchSpec, reaper: ProcessReaper, options: LspClientOptions): Connector {
  return async (wire) => {
    const createClient = await options.loadLanguageClient();
    const messages = new LspMessages(options.showMessage);
    const forClient = ({ method, params }: NotificationMessage): undefined => {
      if (method === 'window/showMessage') messages.show(params).catch(() => undefined);
    };
    const link = await ProcessLink.start(spec, reaper, wire, forClient, contentLengthFraming);
    return new LspConnection(link, wire, new LspAgent(link, createClient, spec.lsp ?? {}, messages, options));
  };
}

class LspConnection implements AgentConnection {
  readonly ended: Promise<Exit>;
  /** Stops waiting for the answer to `shutdown`. */
  private skipWait: (() => void) | undefined;
  private stopping = false;

  constructor(
    private readonly link: ProcessLink,
    private readonly wire: Wire,
    readonly client: LspAgent,
  ) {
    this.ended = link.ended;
    void this.watch();
  }

  get isGone(): boolean {
    return this.link.process.isGone;
  }

  get pid(): number {
    return this.link.process.pid;
  }

  /** Sends `shutdown` and `exit`, then ends the process like any other. Both share the time to close. */
  stop(grace: StopGrace): void {
    if (this.skipWait) this.skipWait();
    else if (this.stopping) void this.link.process.stop(grace);
    else void this.leave(grace);
  }

  private async leave(grace: StopGrace): Promise<void> {
    this.stopping = true;
    const start = performance.now();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, grace.close / 2);
      this.skipWait = resolve;
      void this.client.shutdown().then(() => {
        clearTimeout(timer);
        resolve();
      });
    });
    this.skipWait = undefined;
    void this.client.exit();
    const left = Math.max(0, grace.close - (performance.now() - start));
    void this.link.process.stop({ ...grace, close: left });
  }

  private async watch(): Promise<void> {
    const how = await this.link.finished;
    // Fail what is open: nothing can be answered any more, even if the process is still running.
    void this.client.finish(how);
    if (how !== undefined || this.stopping) return;
    this.wire.onProcessEvent({ ev: 'stdout-close' });
    this.wire.onLost('closed its standard output');
  }
}
