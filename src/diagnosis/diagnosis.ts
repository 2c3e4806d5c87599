import type { Install } from '../agents/installs';
import type { Level } from '../text/level';
import type { Words } from '../text/translator';

/** The problems that Agent Logs detects from a run's traffic. A code is the `logger` of its records and never changes its meaning. */
export type DiagnosisCode =
  | 'failed-turn' // a turn failed, whatever its response says
  | 'turn-cut-short' // a turn ended at a limit or was refused
  | 'mcp-server-trouble' // an agent couldn't start an MCP server, or waits for it
  | 'empty-turn' // a turn ended without output or tool calls
  | 'tool-failed' // a tool failed, whatever its status says
  | 'failed-request' // another important request failed
  | 'retrying' // the agent is retrying after a failure
  | 'rate-limited' // the model's provider is limiting requests
  | 'model-fallback' // the agent uses another model or other settings than requested
  | 'authentication-required' // the user has to log in
  | 'version-not-spoken' // client and agent have no protocol version in common
  | 'missing-executable' // a required program is missing
  | 'missing-folder' // the folder that the agent is started in is missing
  | 'agent-ended' // the process ended without being asked to
  | 'slow-to-end' // the process didn't end when asked to
  | 'stdout-junk' // text other than messages on standard output
  | 'malformed-message' // JSON that isn't a message of the protocol
  | 'oversize-message' // a line that is too long to read
  | 'unanswered-request' // a request has waited too long for its response
  | 'repeated-call' // the agent makes the same tool call, or the same two, again and again
  | 'asked-again' // a permission that the user has given or denied for good
  | 'waiting-for-user' // a question that the user hasn't answered for long
  | 'context-nearly-full' // little of the model's context is left
  | 'compacts-again' // compacting the conversation frees little, or repeats
  | 'cache-never-read' // the provider's cache is written again and again, and never read
  | 'hook-timed-out' // a hook of the agent ran into its time limit
  | 'silence' // a turn without activity that isn't waiting for the user
  | 'cancel-ignored' // cancelled work continued, or wasn't answered as cancelled
  | 'unasked-log' // a log message that the client didn't request
  | 'log-below-level' // a log message below the requested level
  | 'unknown-session' // a message for a session that was never opened
  | 'unknown-response' // a response without an open request
  | 'protocol-violation' // a message that the protocol doesn't allow
  | 'alert'; // something that the user asked to be alerted to; no rule reports it

/** One occurrence of a problem. */
export interface Problem {
  readonly code: DiagnosisCode;
  readonly level: Level;
  /** The problem, and its cause if known: one line without a final period. */
  readonly what: Words;
  /** The cause in a few words, shown first in rows: `rate limited`, `exit 3 · npm test`. */
  readonly cause?: Words | undefined;
  /** What to do about it, in one sentence, if known. */
  readonly advice?: Words | undefined;
  readonly sessionId?: string | undefined;
  /** What can be opened to go on. */
  readonly offers?: 'saved-sessions';
  /** How to get what is missing. */
  readonly install?: Install | undefined;
  /** Groups occurrences of the same problem beyond code, level and session; by default, all are one group. */
  readonly key?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The line of the wire that shows it, and the `seq` of its record. */
  readonly raw?: string | undefined;
  readonly evidence?: number | undefined;
  /** The `seq` of other records that show it. */
  readonly moreEvidence?: readonly number[];
}

/** What happens to a finding. A subject names the problem within the run. */
export type Delivery =
  /** Has occurred this often since then, in milliseconds since the epoch, and only now is a problem. Without a delivery, a finding counts as one. */
  | { readonly type: 'series'; readonly count: number; readonly since: number }
  /** Occurs all the time or not at all: recorded when it first occurs in a run, and with the total when the run ends. */
  | { readonly type: 'habit' }
  | Standing
  /** The same problem persists: updates rows without counting as another problem. */
  | { readonly type: 'update'; readonly subject?: string }
  /** Says how the problem ended; dropped if there was none. */
  | { readonly type: 'settled'; readonly subject: string };

/** A problem that holds until a later finding settles it, in whatever session. */
export interface Standing {
  readonly type: 'standing';
  readonly subject: string;
  /** How long its record waits for what may settle the problem, in milliseconds; then the record is a notice. Rows show the problem at once. */
  readonly patience?: number;
  /** Whether repetitions aren't counted. */
  readonly isOnce?: true;
}

/** @param patience in milliseconds */
export function standing(subject: string, patience?: number): Standing {
  return { type: 'standing', subject, ...(patience !== undefined && { patience }) };
}

/** What a rule reports. */
export interface Finding extends Problem {
  readonly delivery?: Delivery | undefined;
}

/** The `data` of a record of kind `diagnosis`. */
export interface DiagnosisData {
  readonly code: DiagnosisCode;
  /** Number of occurrences. */
  readonly count: number;
  /** When it first occurred, in milliseconds since the epoch. */
  readonly since: number;
  /** The `seq` of the records that show the first and the latest occurrence, or the parts of it. */
  readonly evidence: readonly number[];
  /** In English; the record's message ends with it. */
  readonly advice?: string;
  readonly offers?: 'saved-sessions';
  readonly install?: Install;
  /** The `seq` of the records of problems that no longer hold: this one says how they ended. */
  readonly settles?: readonly number[];
}

/** The record of a problem that no longer holds. */
export interface SettledProblem {
  readonly seq: number;
  readonly level: Level;
  readonly sessionId?: string | undefined;
  /** The `seq` of the record that says how it ended. */
  readonly by: number;
}
