import type { Termination } from '../../log/termination';
import type { ProcessEvent, WireEvent, WirePiece } from '../../wire/wireEvent';
import type { AgentClient } from './agentClient';
import type { Exit, StopGrace } from '../process/agentProcess';
import type { OnFault } from '../reading/faults';

/** Takes everything that crosses a connection. */
export interface Wire {
  /** The log has no more than this of one line, in bytes. */
  readonly maxLineBytes: number;
  /** Longer requests and answers of the agent fail, in bytes. */
  readonly maxMessageBytes: number;
  readonly now: () => number;
  /** Takes every line, in both directions and of standard error. */
  readonly onEvent: (event: WireEvent) => void;
  /** Takes the bytes of an over-long line, before that line. */
  readonly onPiece: (dir: WirePiece['dir'], bytes: Buffer) => void;
  /** Takes changes of the process or the connection. */
  readonly onProcessEvent: (event: ProcessEvent) => void;
  /** After each slice of lines. */
  readonly onSlice: () => void;
  /** The agent can't answer any longer without having been asked to end, and hasn't ended yet. */
  readonly onLost: (message: string) => void;
  /** Takes what failed in Agent Logs itself: it is reported, and reading goes on. */
  readonly onFault: OnFault;
  /** Whether what was read is not yet on its way to the disk, so that reading has to wait. */
  readonly isBehind: () => boolean;
}

/** A run's hold on its agent: the client that speaks to it, and the means to end it. */
export interface AgentConnection {
  readonly client: AgentClient;
  /** The process, if there is one. */
  readonly pid: number | undefined;
  /** Whether the process itself has exited; what it left behind may still run, and its last output may still be read. */
  readonly isGone?: boolean;
  /** Settles when all is over and everything was read, with the exit of the process if there was one. */
  readonly ended: Promise<Exit | undefined>;
  /** Why it ended, if another party knows; read when all is over. */
  readonly termination?: Termination | undefined;
  /** Ends the agent and all that it started. A second call does not wait any longer before the next step. */
  stop(grace: StopGrace): void;
}

/**
 * Starts an agent, or reaches out for one.
 * @throws HumanError when it cannot be started
 */
export type Connector = (wire: Wire) => Promise<AgentConnection>;
