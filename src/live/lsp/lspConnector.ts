import type { NotificationMessage } from 'vscode-jsonrpc/node';
import { contentLengthFraming } from '../../wire/lines/framing';
import type { Connector } from '../connection/agentConnection';
import type { Exit, StopGrace } from '../process/agentProcess';
import type { LaunchSpec } from '../config/launchSpec';
import type { LspClientOptions } from './lspAgent';
import { LspAgent } from './lspAgent';
import { LspMessages } from './lspMessages';
import { ProcessConnection } from '../process/processConnection';
import { ProcessLink } from '../process/processLink';
import { within } from '../../time/waiting';
import type { ProcessReaper } from '../process/processReaper';

export function lspConnector(spec: LaunchSpec, reaper: ProcessReaper, options: LspClientOptions): Connector {
  return async (wire) => {
    const createClient = await options.loadLanguageClient();
    const messages = new LspMessages(options.showMessage);
    const forClient = ({ method, params }: NotificationMessage): undefined => {
      if (method === 'window/showMessage') messages.show(params).catch(() => undefined);
    };
    const link = await ProcessLink.start(spec, reaper, wire, forClient, contentLengthFraming);
    return new LspConnection(link, new LspAgent(link, createClient, spec.lsp ?? {}, messages, options));
  };
}

class LspConnection extends ProcessConnection {
  readonly ended: Promise<Exit>;
  /** Stops waiting for the answer to `shutdown`. */
  private skipWait: (() => void) | undefined;

  constructor(
    link: ProcessLink,
    readonly client: LspAgent,
  ) {
    super(link);
    this.ended = link.ended;
    void link.finish(client);
  }

  /** Sends `shutdown` and `exit`, then ends the process like any other. Both share the close timeout. */
  override stop(grace: StopGrace): void {
    if (this.skipWait) this.skipWait();
    else if (this.link.isStopping) super.stop(grace);
    else void this.leave(grace);
  }

  private async leave(grace: StopGrace): Promise<void> {
    this.link.expectEnd();
    const start = performance.now();
    const skipped = new Promise<void>((resolve) => (this.skipWait = resolve));
    await within(grace.close / 2, Promise.race([this.client.shutdown(), skipped])).catch(() => undefined);
    this.skipWait = undefined;
    void this.client.exit();
    const left = Math.max(0, grace.close - (performance.now() - start));
    super.stop({ ...grace, close: left });
  }
}
