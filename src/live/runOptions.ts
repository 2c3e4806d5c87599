import type { CancellationToken } from 'vscode-jsonrpc/node';
import type { Threshold } from '../text/level';
import type { PageFile } from '../store/pageReader';
import type { DiagnosisSink } from '../diagnosis/sessionSummary';
import type { Interpretation } from '../runLog/reading/interpretation';
import type { JournalWriter } from '../wire/journal/journalWriter';
import type { Connector, Wire } from './connection/agentConnection';
import type { StopGrace } from './process/agentProcess';
import type { RunDefinition, RunSpec } from './config/launchSpec';
import type { LineRedactor } from '../runLog/reading/redactEvent';

export interface RunLimits extends Pick<Wire, 'maxLineBytes' | 'maxMessageBytes'> {
  /** Approximate memory limit for records, in bytes. */
  readonly maxMemory: number;
  /** Timeout of `initialize`, in milliseconds. */
  readonly initializeTimeout: number;
  /** Interval between notices about what is being waited for, in milliseconds. */
  readonly waitingNotice: number;
  readonly stop: StopGrace;
}

export interface RunOptions {
  readonly id: string;
  readonly agent: RunDefinition;
  readonly spec: RunSpec;
  readonly level: Threshold;
  readonly limits: RunLimits;
  readonly interpretation: (sink: DiagnosisSink) => Interpretation;
  readonly connect: Connector;
  /** True if another extension runs the agent and passes on its traffic. */
  readonly isPublished?: boolean;
  /** Redacts everything that is kept and shown. */
  readonly redactor: LineRedactor | undefined;
  /** Records everything that crosses; closed when the run has ended. */
  readonly journal?: JournalWriter;
  /** Creates a file for records that don't fit into memory; deleted with the run. */
  readonly spill?: () => PageFile;
  /** Receives internal errors of Agent Logs while the run is read. */
  readonly onFault?: (error: Error) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Progress reports for the caller of `start`. */
export interface StartProgress {
  readonly token: CancellationToken;
  readonly onWaiting: (ms: number) => void;
}
