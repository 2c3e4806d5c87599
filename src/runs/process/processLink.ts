import type { Message, NotificationMessage } from 'vscode-jsonrpc/node';
import { Backlog } from '../../wire/backlog';
import type { Framing } from '../../wire/lines/framing';
import { lineFraming } from '../../wire/lines/framing';
import { JsonRpcReader } from '../../wire/jsonRpcReader';
import { JsonRpcWriter } from '../../wire/jsonRpcWriter';
import { describeExit } from '../../protocols/lifecycle';
import type { Wire } from '../connection/agentConnection';
import type { Exit } from './agentProcess';
import { AgentProcess } from './agentProcess';
import type { LaunchSpec } from '../config/launchSpec';
import type { ProcessReaper } from './processReaper';
import { pumpStderr } from './stderrPump';

/** An agent that closes its standard output usually ends at once; longer than this, in milliseconds, and it is ended. */
const closedStdoutGrace = 500;

/** A process that speaks JSON-RPC, with a tap on its three pipes. */
export class ProcessLink {
  readonly backlog = new Backlog();
  readonly reader: JsonRpcReader;
  readonly writer: JsonRpcWriter;
  /** Settles when its standard output is read to the end, and it is gone or will not go by itself: with how it ended, in words. */
  readonly finished: Promise<string | undefined>;
  /** Settles when all of it is gone, and everything was read. */
  readonly ended: Promise<Exit>;

  private constructor(
    readonly process: AgentProcess,
    wire: Wire,
    forClient: (notification: NotificationMessage) => Message | undefined,
    framing: Framing,
  ) {
    const { maxLineBytes, maxMessageBytes, now, onEvent, onSlice, isBehind } = wire;
    process.onEvent((event) => wire.onProcessEvent(event));
    const stderrRead = pumpStderr(process, wire);
    this.reader = new JsonRpcReader(process.stdout, {
      framing,
      backlog: this.backlog,
      isBehind,
      maxLineBytes,
      maxMessageBytes,
      now,
      onMessage: onEvent,
      onPiece: (bytes) => wire.onPiece('a2c', bytes),
      onSlice,
      onLineError: (error) => wire.onFault('a2c', error),
      forClient,
      refuse: (answer) => void this.writer.write(answer).catch(() => undefined), // its end tells
    });
    this.writer = new JsonRpcWriter(process.stdin, {
      framing,
      now,
      backlog: this.backlog,
      onMessage: (event) => {
        onEvent(event);
        onSlice();
      },
    });
    void process.gone.then(() => this.backlog.close());
    const stdoutRead = new Promise<void>((resolve) => this.reader.onClose(resolve));
    this.finished = stdoutRead.then(() => this.end());
    this.ended = this.untilRead(stdoutRead, stderrRead);
  }

  /**
   * Starts the process. Nothing is read of it before somebody listens to the reader.
   * @param forClient what of a notification concerns the client
   * @throws HumanError when it cannot be started
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

  /** Its output has ended: mostly, so has it. */
  private async end(): Promise<string | undefined> {
    const exit = await Promise.race([this.process.gone, later(closedStdoutGrace)]);
    return exit && describeExit(exit);
  }

  private async untilRead(...read: readonly Promise<void>[]): Promise<Exit> {
    const exit = await this.process.exited;
    await Promise.all(read);
    return exit;
  }
}

function later(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms).unref());
}
