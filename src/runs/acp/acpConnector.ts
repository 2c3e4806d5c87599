import type { AcpClientOptions } from './acpClient';
import { AcpClient, notificationForClient } from './acpClient';
import type { AgentConnection, Connector, Wire } from '../connection/agentConnection';
import type { Exit, StopGrace } from '../process/agentProcess';
import type { LaunchSpec } from '../config/launchSpec';
import { ProcessLink } from '../process/processLink';
import type { ProcessReaper } from '../process/processReaper';

/** Starts an agent that speaks ACP over its standard input and output. */
export function acpConnector(spec: LaunchSpec, reaper: ProcessReaper, client: AcpClientOptions): Connector {
  return async (wire) =>
    new AcpConnection(await ProcessLink.start(spec, reaper, wire, notificationForClient), wire, client);
}

class AcpConnection implements AgentConnection {
  readonly client: AcpClient;
  readonly ended: Promise<Exit>;
  private stopping = false;

  constructor(
    private readonly link: ProcessLink,
    private readonly wire: Wire,
    options: AcpClientOptions,
  ) {
    this.client = new AcpClient(link, options);
    this.ended = link.ended;
    void this.watch();
  }

  get isGone(): boolean {
    return this.link.process.isGone;
  }

  get pid(): number {
    return this.link.process.pid;
  }

  stop(grace: StopGrace): void {
    this.stopping = true;
    void this.link.process.stop(grace);
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
