import type { AgentClient } from '../connection/agentClient';
import type { AgentConnection } from '../connection/agentConnection';
import type { Exit, StopGrace } from './agentProcess';
import type { ProcessLink } from './processLink';

/** An agent process that speaks JSON-RPC over its pipes. */
export class ProcessConnection<Client extends AgentClient> implements AgentConnection {
  readonly ended: Promise<Exit>;

  constructor(
    protected readonly link: ProcessLink,
    readonly client: Client,
  ) {
    this.ended = link.ended;
    void link.finish(client);
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
}
