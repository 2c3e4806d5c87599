import { setImmediate as turn } from 'node:timers/promises';
import { refusesOffer } from '../../diagnosis/failures/endCause';
import type { LaunchSpec } from '../config/launchSpec';
import type { Connector } from '../connection/agentConnection';
import type { Exit } from '../process/agentProcess';
import { RestartableConnection, Starter } from '../process/processConnection';
import type { ProcessLink } from '../process/processLink';
import type { ProcessReaper } from '../process/processReaper';
import type { AcpClientOptions } from './acpClient';
import { AcpClient } from './acpClient';
import { notificationForClient } from './acpSessions';

export function acpConnector(spec: LaunchSpec, reaper: ProcessReaper, options: AcpClientOptions): Connector {
  return async (wire) => {
    const starter = new Starter(spec, reaper, wire, notificationForClient);
    return new AcpConnection(await starter.start(), starter, options);
  };
}

/** A process that speaks ACP. If it exits because it was offered version 2, it is started once more and offered version 1. */
class AcpConnection extends RestartableConnection {
  readonly client: AcpClient;
  readonly ended: Promise<Exit>;
  private again: Promise<ProcessLink | undefined> | undefined;

  constructor(link: ProcessLink, starter: Starter, options: AcpClientOptions) {
    super(link, starter);
    this.client = new AcpClient(link, options, () => this.again);
    this.ended = this.live(link);
  }

  private async live(link: ProcessLink): Promise<Exit> {
    const isFirst = !this.again;
    const how = await link.finished;
    if (isFirst && how !== undefined && this.client.isNegotiating && !link.isStopping) {
      this.again = this.startAgain(link, (exit, printed) => refusesOffer(exit, this.client.hasAnswered, printed));
      this.again.catch(() => undefined);
    }
    await link.finish(this.client);
    const next = isFirst ? await this.again?.catch(() => undefined) : undefined;
    if (next) return this.live(next);
    if (isFirst && this.again) {
      // The run starts with the answer that it has, and then ends.
      await this.client.negotiated;
      await turn();
    }
    return link.ended;
  }
}
