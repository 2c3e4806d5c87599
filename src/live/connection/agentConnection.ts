import type { Termination } from '../../wire/termination';
import type { ProcessEvent, WireEvent, WirePiece, Why } from '../../wire/wireEvent';
import type { AgentClient } from './agentClient';
import type { Exit, StopGrace } from '../process/agentProcess';
import type { OnFault } from '../../runLog/reading/faults';

/** Receives everything that crosses a connection. */
export interface Wire {
  /** Maximum length of a line in the log, in bytes. */
  readonly maxLineBytes: number;
  /** Maximum length of requests and responses of the agent, in bytes. Longer ones fail. */
  readonly maxMessageBytes: number;
  readonly now: () => number;
  /** Receives every line, in both directions and of stderr. */
  readonly onEvent: (event: WireEvent) => void;
  /** Receives the bytes of an oversized line, before that line. */
  readonly onPiece: (dir: WirePiece['dir'], bytes: Buffer) => void;
  readonly onProcessEvent: (event: ProcessEvent) => void;
  readonly onSlice: () => void;
  /** Called if the agent can no longer respond, but is still running and wasn't asked to end. */
  readonly onLost: (why: Why) => void;
  /** Receives internal errors of Agent Logs, which are reported without stopping the reader. */
  readonly onFault: OnFault;
  /** True if the disk can't keep up, so that reading has to pause. */
  readonly isBehind: () => boolean;
}

/** A run's connection to its agent: the client, and the means to stop the agent. */
export interface AgentConnection {
  readonly client: AgentClient;
  readonly pid: number | undefined;
  /** True if the process itself has exited; its children may still be running, and its last output may still be unread. */
  readonly isGone?: boolean;
  /** Settles when everything has ended and was read, with the exit status if there was a process. */
  readonly ended: Promise<Exit | undefined>;
  /** Why it ended, if another party knows; read when everything has ended. */
  readonly termination?: Termination | undefined;
  /** Ends the agent and all its processes. A second call skips the wait before the next step. */
  stop(grace: StopGrace): void;
}

/**
 * Starts an agent, or connects to one.
 * @throws HumanError if it can't be started
 */
export type Connector = (wire: Wire) => Promise<AgentConnection>;
