import { refusesOffer } from '../../diagnosis/failures/probeRefusal';
import type { LaunchSpec } from '../config/launchSpec';
import type { AgentConnection, Connector, Wire } from '../connection/agentConnection';
import type { Exit, StopGrace } from '../process/agentProcess';
import { LastOutput } from '../process/lastOutput';
import { ProcessLink } from '../process/processLink';
import type { ProcessReaper } from '../process/processReaper';
import type { AcpClientOptions } from './acpClient';
import { AcpClient } from './acpClient';
import { notificationForClient } from './acpSessions';

/** Starts an agent that speaks ACP over stdin and stdout. */
export function acpConnector(spec: LaunchSpec, reaper: ProcessReaper, options: AcpClientOptions): Connector {
  return async (wire) => {
    const output = new LastOutput();
    const start = (): Promise<ProcessLink> =>
      ProcessLink.start(spec, reaper, output.watching(wire), notificationForClient);
    return new AcpConnection(await start(), start, output, wire, options);
  };
}

/** A process that speaks ACP. If it exits because it was offered version 2, it is started once more and offered version 1. */
class AcpConnection implements AgentConnection {
  readonly client: AcpClient;
  readonly ended: Promise<Exit>;
  private again: Promise<ProcessLink | undefined> | undefined;

  constructor(
    private link: ProcessLink,
    private readonly start: () => Promise<ProcessLink>,
    private readonly output: LastOutput,
    private readonly wire: Wire,
    options: AcpClientOptions,
  ) {
    this.client = new AcpClient(link, options, () => this.again);
    this.ended = this.live(link);
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

  private async live(link: ProcessLink): Promise<Exit> {
    const isFirst = !this.again;
    const how = await link.finished;
    if (isFirst && how !== undefined && this.client.isNegotiating && !link.isStopping) {
      this.again = this.startAgain(link);
      this.again.catch(() => undefined);
    }
    await link.finish(this.client);
    const next = isFirst ? await this.again?.catch(() => undefined) : undefined;
    return next ? this.live(next) : link.ended;
  }

  private async startAgain(exited: ProcessLink): Promise<ProcessLink | undefined> {
    const exit = await exited.ended;
    const { stderr, stdout } = this.output;
    if (exited.isStopping || !refusesOffer(exit, this.client.hasAnswered, [...stderr, ...stdout])) return undefined;
    this.wire.onProcessEvent({ ev: 'exit', ...exit });
    const link = await this.start();
    const { isStopping } = this.link;
    this.link = link;
    if (isStopping) link.stop({ close: 0, terminate: 0 });
    return link;
  }
}
