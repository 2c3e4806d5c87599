import type { Message, NotificationMessage } from 'vscode-jsonrpc/node';
import { objectOf, requestIdOf } from '../protocols/json';
import { contentLengthFraming } from '../wire/framing';
import type { AgentConnection, Connector, Wire } from './agentConnection';
import type { Exit, StopGrace } from './agentProcess';
import type { LaunchSpec } from './launchSpec';
import type { LspClientOptions } from './lspClient';
import { LspClient } from './lspClient';
import { LspMessages } from './lspMessages';
import { ProcessLink } from './processLink';
import type { ProcessReaper } from './processReaper';

/** Starts a language server that speaks over its standard input and output. */
export function lspConnector(spec: LaunchSpec, reaper: ProcessReaper, options: LspClientOptions): Connector {
  return async (wire) => {
    const messages = new LspMessages(options.showMessage);
    const forClient = (notification: NotificationMessage): Message | undefined => {
      if (notification.method === 'window/showMessage') messages.show(notification.params).catch(() => undefined);
      return cancellation(notification);
    };
    const link = await ProcessLink.start(spec, reaper, wire, forClient, contentLengthFraming);
    return new LspConnection(link, wire, new LspClient(link, spec.lsp ?? {}, messages, options));
  };
}

class LspConnection implements AgentConnection {
  readonly ended: Promise<Exit>;
  /** Waits no longer for the answer to `shutdown`. */
  private hurry: (() => void) | undefined;
  private stopping = false;

  constructor(
    private readonly link: ProcessLink,
    private readonly wire: Wire,
    readonly client: LspClient,
  ) {
    this.ended = link.ended;
    void this.watch();
  }

  get pid(): number {
    return this.link.process.pid;
  }

  /** Asks by the protocol first, then as every process is asked: the time to close is for both. */
  stop(grace: StopGrace): void {
    if (this.hurry) this.hurry();
    else if (this.stopping) void this.link.process.stop(grace);
    else void this.leave(grace);
  }

  private async leave(grace: StopGrace): Promise<void> {
    this.stopping = true;
    const start = performance.now();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, grace.close / 2);
      this.hurry = resolve;
      void this.client.shutdown().then(() => {
        clearTimeout(timer);
        resolve();
      });
    });
    this.hurry = undefined;
    void this.client.exit();
    const left = Math.max(0, grace.close - (performance.now() - start));
    void this.link.process.stop({ ...grace, close: left });
  }

  private async watch(): Promise<void> {
    const how = await this.link.finished;
    // Nothing can be answered any more: whoever waits is told, though the process may live on.
    void this.client.finish(how);
    if (how !== undefined || this.stopping) return;
    this.wire.onProcessEvent({ ev: 'stdout-close' });
    this.wire.onLost('closed its standard output');
  }
}

/** A `$/cancelRequest` that the library can take; no other notification concerns the client. */
function cancellation(notification: NotificationMessage): NotificationMessage | undefined {
  const id = notification.method === '$/cancelRequest' ? requestIdOf(objectOf(notification.params)['id']) : undefined;
  return id === undefined ? undefined : { ...notification, params: { id } as never };
}
