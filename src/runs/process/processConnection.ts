import type { AgentClient } from '../connection/agentClient';
import type { AgentConnection, Wire } from '../connection/agentConnection';
import type { Exit, StopGrace } from './agentProcess';
import type { LastOutput } from './lastOutput';
import type { ProcessLink } from './processLink';

/** A connection to a process, whose link may be replaced by that of a process started in its place. */
abstract class LinkedConnection implements AgentConnection {
  abstract readonly client: AgentClient;
  abstract readonly ended: Promise<Exit>;

  constructor(protected link: ProcessLink) {}

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

/** An agent process that speaks JSON-RPC over its pipes. */
export class ProcessConnection<Client extends AgentClient> extends LinkedConnection {
  readonly ended: Promise<Exit>;

  constructor(
    link: ProcessLink,
    readonly client: Client,
  ) {
    super(link);
    this.ended = link.ended;
    void link.finish(client);
  }
}

/** What it takes to start a process once more. */
export interface Restart {
  readonly start: () => Promise<ProcessLink>;
  /** Of all its processes. */
  readonly output: LastOutput;
  readonly wire: Wire;
}

/** A connection whose process is started once more if it exited because of what the client sent first. */
export abstract class RestartableConnection extends LinkedConnection {
  constructor(
    link: ProcessLink,
    private readonly restart: Restart,
  ) {
    super(link);
  }

  /**
   * Replaces a process that has exited.
   * @param isRefusal whether its exit was about what the client sent; if not, it would exit again
   * @returns `undefined` if it isn't replaced
   */
  protected async startAgain(
    exited: ProcessLink,
    isRefusal: (exit: Exit, output: LastOutput) => boolean,
  ): Promise<ProcessLink | undefined> {
    const exit = await exited.ended;
    const { start, output, wire } = this.restart;
    if (exited.isStopping || !isRefusal(exit, output)) return undefined;
    wire.onProcessEvent({ ev: 'exit', ...exit });
    const link = await start();
    const { isStopping } = this.link;
    this.link = link;
    if (isStopping) link.stop({ close: 0, terminate: 0 });
    return link;
  }
}
