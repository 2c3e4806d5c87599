import type { Words } from '../../text/translator';
import { losses } from '../../protocols/connectionWords';
import { setTimeout as delay } from 'node:timers/promises';
import type { Message, NotificationMessage } from 'vscode-jsonrpc/node';
import { FlowControl } from '../../wire/flowControl';
import type { Framing } from '../../wire/lines/framing';
import { lineFraming } from '../../wire/lines/framing';
import { JsonRpcReader } from '../../wire/jsonRpcReader';
import { JsonRpcWriter } from '../../wire/jsonRpcWriter';
import { exitText } from '../../protocols/lifecycle';
import type { AgentClient } from '../connection/agentClient';
import type { Wire } from '../connection/agentConnection';
import type { Exit, StopGrace } from './agentProcess';
import { AgentProcess } from './agentProcess';
import type { LaunchSpec } from '../config/launchSpec';
import type { ProcessReaper } from './processReaper';
import { pumpStderr } from './pumpLines';

/** How long a process may keep running after it closed stdout, in milliseconds. Most exit at once. */
const closedStdoutGrace = 500;

/** A process that speaks JSON-RPC. Everything that crosses its three pipes is reported to the `Wire`. */
export class ProcessLink {
  readonly flow = new FlowControl();
  readonly reader: JsonRpcReader;
  readonly writer: JsonRpcWriter;
  /** Resolves once stdout was read to its end, with how the process ended in words, or `undefined` if it is still running. */
  readonly finished: Promise<Words | undefined>;
  /** Resolves once the process has exited and all its output was read. */
  readonly ended: Promise<Exit>;
  private stopping = false;

  private constructor(
    private readonly process: AgentProcess,
    private readonly wire: Wire,
    forClient: (notification: NotificationMessage) => Message | undefined,
    framing: Framing,
  ) {
    const { maxLineBytes, maxMessageBytes, now, onEvent, onSlice, isBehind } = wire;
    process.onEvent((event) => wire.onProcessEvent(event));
    const stderrRead = pumpStderr(process, wire);
    this.reader = new JsonRpcReader(process.stdout, {
      framing,
      flow: this.flow,
      isBehind,
      maxLineBytes,
      maxMessageBytes,
      now,
      onMessage: onEvent,
      onPiece: (bytes) => wire.onPiece('a2c', bytes),
      onSlice,
      onLineError: (error) => wire.onFault('a2c', error),
      forClient,
      // If it can't be written, the process has exited, which is reported anyway.
      refuse: (answer) => void this.writer.write(answer).catch(() => undefined),
    });
    this.writer = new JsonRpcWriter(process.stdin, {
      framing,
      now,
      flow: this.flow,
      onMessage: (event) => {
        onEvent(event);
        onSlice();
      },
    });
    void process.gone.then(() => this.flow.close());
    const stdoutRead = new Promise<void>((resolve) => this.reader.onClose(resolve));
    this.finished = stdoutRead.then(() => this.howItEnded());
    this.ended = this.untilRead(stdoutRead, stderrRead);
  }

  /**
   * Starts the process. Its output isn't read until something listens to `reader`.
   * @param forClient picks the notifications that the client must see
   * @throws HumanError if it can't be started
   */
  static async start(
    spec: LaunchSpec,
    reaper: ProcessReaper,
    wire: Wire,
    forClient: (notification: NotificationMessage) => Message | undefined,
    framing = lineFraming,
  ): Promise<ProcessLink> {
    const process = await AgentProcess.start(spec, reaper);
    wire.onProcessEvent({ ev: 'spawn', pid: process.pid, command: [spec.command, ...spec.args], cwd: spec.cwd });
    return new ProcessLink(process, wire, forClient, framing);
  }

  get pid(): number {
    return this.process.pid;
  }

  get isGone(): boolean {
    return this.process.isGone;
  }

  get isStopping(): boolean {
    return this.stopping;
  }

  /** Stops reporting it if the process closes stdout. */
  expectEnd(): void {
    this.stopping = true;
  }

  stop(grace: StopGrace): void {
    this.expectEnd();
    void this.process.stop(grace);
  }

  /** Fails the client's open requests once stdout has ended, and reports an agent that closed it without being asked to. */
  async finish(client: AgentClient): Promise<void> {
    const how = await this.finished;
    void client.finish(how);
    if (how !== undefined || this.stopping) return;
    this.wire.onProcessEvent({ ev: 'stdout-close' });
    this.wire.onLost(losses.closedStdout);
  }

  private async howItEnded(): Promise<Words | undefined> {
    const exit = await Promise.race([this.process.gone, delay(closedStdoutGrace, undefined, { ref: false })]);
    return exit && exitText(exit);
  }

  private async untilRead(...read: readonly Promise<void>[]): Promise<Exit> {
    const exit = await this.process.exited;
    await Promise.all(read);
    return exit;
  }
}
