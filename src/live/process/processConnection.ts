import type { Message, NotificationMessage } from 'vscode-jsonrpc/node';
import { LastEntries } from '../../protocols/stderr/lastEntries';
import type { LaunchSpec } from '../config/launchSpec';
import type { AgentClient } from '../connection/agentClient';
import type { AgentConnection, Wire } from '../connection/agentConnection';
import type { Printed } from '../../diagnosis/failures/endCause';
import type { Exit, StopGrace } from './agentProcess';
import { ProcessLink } from './processLink';
import type { ProcessReaper } from './processReaper';

/** A connection to a process, whose link may be replaced by that of a process started in its place. */
export abstract class ProcessConnection implements AgentConnection {
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

/** Starts the processes of a connection, and keeps their last output to explain why one exited. */
export class Starter {
  readonly stderr = new LastEntries();
  /** What standard output has that isn't JSON. */
  readonly stdout = new LastEntries();

  /** @param forClient picks the notifications that the client must see */
  constructor(
    private readonly spec: LaunchSpec,
    private readonly reaper: ProcessReaper,
    readonly wire: Wire,
    private readonly forClient: (notification: NotificationMessage) => Message | undefined,
  ) {}

  start(): Promise<ProcessLink> {
    const onEvent: Wire['onEvent'] = (event) => {
      this.wire.onEvent(event);
      if (event.dir === 'err') this.stderr.add(event);
      else if (event.dir === 'a2c' && event.isLog !== true && event.msg === undefined) this.stdout.add(event);
    };
    return ProcessLink.start(this.spec, this.reaper, { ...this.wire, onEvent }, this.forClient);
  }
}

/** A connection whose process is started once more if it exited because of what the client sent first. */
export abstract class RestartableConnection extends ProcessConnection {
  constructor(
    link: ProcessLink,
    private readonly starter: Starter,
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
    isRefusal: (exit: Exit, printed: Printed) => boolean,
  ): Promise<ProcessLink | undefined> {
    const exit = await exited.ended;
    const { starter } = this;
    if (exited.isStopping || !isRefusal(exit, starter)) return undefined;
    starter.wire.onProcessEvent({ ev: 'exit', ...exit });
    const link = await starter.start();
    const { isStopping } = this.link;
    this.link = link;
    if (isStopping) link.stop({ close: 0, terminate: 0 });
    return link;
  }
}
