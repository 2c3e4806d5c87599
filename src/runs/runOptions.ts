import type { CancellationToken } from 'vscode-jsonrpc/node';
import type { Threshold } from '../log/level';
import type { PageFile } from '../log/store/pageFile';
import type { DiagnosisSink } from '../diagnosis/sessionSummary';
import type { Interpreter } from '../protocols/interpreter';
import type { JournalWriter } from '../wire/journal/journalWriter';
import type { Connector } from './connection/agentConnection';
import type { StopGrace } from './process/agentProcess';
import type { AgentDefinition, RunSpec } from './config/launchSpec';
import type { LineRedactor } from './reading/redactEvent';

export interface RunLimits {
  /** The log has no more than this of one line, in bytes. */
  readonly maxLineBytes: number;
  /** Longer requests and answers of the agent fail, in bytes. */
  readonly maxMessageBytes: number;
  /** About how much memory the records may take, in bytes. */
  readonly maxMemory: number;
  /** How long the agent may take to answer our greeting, in milliseconds. */
  readonly initializeTimeout: number;
  /** How often a notice says what is waited for, in milliseconds. */
  readonly waitingNotice: number;
  readonly stop: StopGrace;
}

export interface RunOptions {
  readonly id: string;
  readonly agent: AgentDefinition;
  readonly spec: RunSpec;
  readonly level: Threshold;
  readonly limits: RunLimits;
  /** Reads the agent's protocol off the wire. */
  readonly interpreter: (sink: DiagnosisSink) => Interpreter;
  /** Starts the agent, and speaks its protocol. */
  readonly connect: Connector;
  /** Another extension runs the agent, and hands over what crosses. */
  readonly isPublished?: boolean;
  /** Takes secrets out of everything that is kept and shown. */
  readonly redactor?: LineRedactor;
  /** Keeps everything that crosses; closed when the run has ended. */
  readonly journal?: JournalWriter;
  /** Makes a file for records that memory has no room for; deleted with the run. */
  readonly spill?: () => PageFile;
  /** Takes what failed in Agent Logs itself while the run was read. */
  readonly onFault?: (error: Error) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What a caller of `start` gets told on the way. */
export interface StartProgress {
  readonly token: CancellationToken;
  readonly onWaiting: (ms: number) => void;
}
