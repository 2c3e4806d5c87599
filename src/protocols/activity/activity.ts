import type { WireMessage } from '../../wire/wireEvent';
import type { RpcError } from '../jsonrpc/rpcError';

/** What the facts about a session's work have in common. */
interface InSession {
  /** The line that says so. */
  readonly event: WireMessage;
  /** Absent if neither the line nor an earlier one names it. */
  readonly sessionId: string | undefined;
}

/** Length of the beginning of a prompt, in characters. */
export const maxPrompt = 200;
/** Length of an id of a tool call, a question or a task, in characters. */
export const maxActivityId = 200;

/** Tokens and money. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
  readonly cachedTokens?: number;
  readonly costUsd?: number;
  /** `turn`: of this turn alone. `cumulative`: of the session so far. */
  readonly basis: 'turn' | 'cumulative' | 'unknown';
}

/** How a subagent's turn is cancelled with its parent's: it may go on all the same, in the background. */
export const cancelOfParent = "its parent's session/cancel";

/** When and how a turn was asked to stop. */
export interface TurnCancel {
  readonly at: number;
  readonly method: string;
  /** The one before it, which had no effect yet. */
  readonly earlier?: TurnCancel | undefined;
}

/** What an agent's stream itself says went wrong with its turn. */
export type TurnFailure =
  | {
      readonly type: 'failed';
      /** In the agent's words, if it says why. */
      readonly words: string | undefined;
      /** Its own status for the turn is success all the same. */
      readonly saysSuccess: boolean;
    }
  /** A limit of its own was reached, by its name, such as `turns`. */
  | { readonly type: 'limit'; readonly limit: string }
  /** It reported an error, and then success. */
  | { readonly type: 'cut-short'; readonly words: string };

export interface TurnStartedFact extends InSession {
  readonly type: 'turn';
  readonly change: 'started';
  /** Milliseconds since the epoch. Earlier than the event if its prompt waited for another turn to end. */
  readonly startedAt: number;
  /** The beginning of what was asked. Empty if that isn't known, or if nobody asked. */
  readonly prompt: string;
  /** The agent began it by itself. */
  readonly isUnprompted: boolean;
  /** It was cancelled while it waited for another turn to end. */
  readonly cancel: TurnCancel | undefined;
}

/** `resumed`: a turn that was given up for dead (`isUnanswered`) goes on. `dropped`: nothing came of it, and its prompt begins another. */
export interface TurnMovedFact extends InSession {
  readonly type: 'turn';
  readonly change: 'resumed' | 'dropped';
}

/** The turn was asked to stop, by this method. */
export interface TurnCancelledFact extends InSession {
  readonly type: 'turn';
  readonly change: 'cancelled';
  readonly method: string;
}

/** The turn's session is being closed. */
export interface TurnClosingFact extends InSession {
  readonly type: 'turn';
  readonly change: 'closing';
}

/** A turn ended, or an agent says so of one whose start wasn't seen. What ends with its process gets no fact of its own. */
export interface TurnEndedFact extends InSession {
  readonly type: 'turn';
  readonly change: 'ended';
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
  readonly stopReason: string | undefined;
  readonly error: RpcError | undefined;
  readonly failure: TurnFailure | undefined;
  /** The person interrupted it. */
  readonly isInterrupted: boolean;
  /** The agent ran a command of its own, such as `/compact`, and not its model. */
  readonly isOfCommand: boolean;
  /** Its end never came: another run began in its place. */
  readonly isUnanswered: boolean;
  /** By the agent's own account, in milliseconds. */
  readonly took: number | undefined;
  /** What it says in the end; usually it has said that before. */
  readonly text: string;
  readonly usage: Usage | undefined;
}

export type TurnFact = TurnStartedFact | TurnMovedFact | TurnCancelledFact | TurnClosingFact | TurnEndedFact;

/** Something was said. */
export interface MessageFact extends InSession {
  readonly type: 'message';
  readonly speaker: 'user' | 'agent' | 'subagent' | 'thought';
  /** A message, or a piece of one. */
  readonly text: string;
  /** The whole message comes again later. */
  readonly isPartial: boolean;
}

/** A tool call. Each fact has what its line says, and nothing of earlier ones. */
export interface ToolFact extends InSession {
  readonly type: 'tool';
  /** `running`: it has begun, which may be said several times. `resumed`: it runs only now, after it waited for a person. */
  readonly change: 'running' | 'updated' | 'resumed' | 'ended';
  /** At most 200 characters. Absent if the agent gives its calls no ids. */
  readonly id: string | undefined;
  /** What it does, for a person. */
  readonly title?: string | undefined;
  /** The tool's own name. */
  readonly name?: string | undefined;
  /** The command that it runs. */
  readonly command?: string | undefined;
  /** Whether it runs a command, if the agent says so without naming it. */
  readonly isCommand?: boolean | undefined;
  /** The line creates the call; an update of a call that was not created is none. */
  readonly isNew?: boolean | undefined;
  /** The ids of the terminals that show what it does. */
  readonly terminals?: readonly string[] | undefined;
  readonly outcome?: 'completed' | 'failed' | 'cancelled' | undefined;
  readonly exitCode?: number | undefined;
  /** What ended its process, such as `SIGSEGV`. */
  readonly signal?: string | undefined;
  /** What its result calls an error. */
  readonly error?: string | undefined;
  /** What it printed or answered, with its line breaks. */
  readonly output?: string | undefined;
  /** The person had interrupted its turn. */
  readonly isInterrupted?: boolean | undefined;
  /** By the agent's own account, in milliseconds. */
  readonly took?: number | undefined;
  /** A subagent does it, and its session isn't announced. */
  readonly isSubagent?: boolean | undefined;
}

/** A command in a terminal began or ended: the agent's own terminal, or one that the client runs for it (ACP "Terminals"). */
export interface TerminalFact extends InSession {
  readonly type: 'terminal';
  readonly id: string;
  readonly command: string | undefined;
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
}

/** The agent thinks, plans or does something that has no fact of its own. */
export interface ProgressFact extends InSession {
  readonly type: 'progress';
}

/** The agent asks a person. */
export interface PermissionFact extends InSession {
  readonly type: 'permission';
  readonly change: 'asked' | 'settled';
  /** Of the question, at most 200 characters. */
  readonly id: string;
  readonly asking: Asking;
  /** The tool call that waits for it. */
  readonly toolId: string | undefined;
  readonly title?: string | undefined;
  readonly outcome?: 'allowed' | 'refused' | 'cancelled' | undefined;
}

/** What a person is asked for: to allow something, or to answer a question. */
export type Asking = 'permission' | 'answer';

/** The agent tries again what failed, or no longer does. */
export interface RetryFact extends InSession {
  readonly type: 'retry';
  readonly change: 'retrying' | 'gave-up';
  /** What happened, for a person. Absent if the agent only says that it gave up. */
  readonly message: string | undefined;
  readonly details?: string | undefined;
  /** Why, if the message says more than that. */
  readonly reason?: string | undefined;
  /** How many times the agent tries again at most, if it has a field for that. */
  readonly maxRetries?: number | undefined;
  /** Whether a rate limit is the reason, if the agent has a field for that. */
  readonly isLimit?: boolean | undefined;
  /** The turn as a whole has failed, whatever it is answered with. */
  readonly isOfTurn?: boolean | undefined;
}

/** How much of what the account may use is used. */
export interface LimitFact extends InSession {
  readonly type: 'limit';
  /** `covered`: reached, and what goes beyond is paid for. */
  readonly state: 'near' | 'reached' | 'covered';
  readonly window: string | undefined;
  /** Milliseconds since the epoch. */
  readonly resetsAt: number | undefined;
}

/** The turn goes on with another model. */
export interface ModelFact extends InSession {
  readonly type: 'model';
  readonly to: string | undefined;
}

/** The agent reports something for a person to read, outside of its answer. */
export interface NoticeFact extends InSession {
  readonly type: 'notice';
  /** `error`: an error of its own that it shows as an answer. */
  readonly about: 'any' | 'transcript' | 'error';
  readonly text: string;
  /** A field says so, and not the text alone. */
  readonly isCertain?: boolean;
}

/** The conversation is being made shorter, or no longer is. */
export interface CompactionFact extends InSession {
  readonly type: 'compaction';
  readonly change: 'started' | 'ended';
  readonly isFailed: boolean;
  readonly isCancelled?: boolean;
}

/** The session waits for a person, by its own account: a question should come, or has come. */
export interface WaitingFact extends InSession {
  readonly type: 'waiting';
}

/** A subagent, or a task in the background. `sessionId` is the session that started it. */
export interface SubagentFact extends InSession {
  readonly type: 'subagent';
  /** `refused`: its announcement makes no sense, and is ignored. */
  readonly change: 'started' | 'ended' | 'refused';
  /** Of the task, or of its session; at most 200 characters. */
  readonly id: string;
  readonly title: string | undefined;
  readonly outcome?: 'completed' | 'failed' | 'cancelled' | undefined;
  /** Why it was refused. */
  readonly problem?: 'itself' | 'ancestor' | 'other-parent' | 'too-many' | undefined;
}

/** What the readers make of messages, the same for every protocol and vendor. Comes after the fact of its line. */
export type ActivityFact =
  | TurnFact
  | MessageFact
  | ToolFact
  | TerminalFact
  | ProgressFact
  | PermissionFact
  | RetryFact
  | LimitFact
  | ModelFact
  | NoticeFact
  | CompactionFact
  | WaitingFact
  | SubagentFact;

const activities: ReadonlySet<string> = new Set<ActivityFact['type']>([
  'turn',
  'message',
  'tool',
  'terminal',
  'progress',
  'permission',
  'retry',
  'limit',
  'model',
  'notice',
  'compaction',
  'waiting',
  'subagent',
]);

export function isActivity(fact: { readonly type: string }): fact is ActivityFact {
  return activities.has(fact.type);
}

/** The fact that a turn ended with this line. All that isn't in `end` is unknown, or false. */
export function turnEnded(
  { event, sessionId }: InSession,
  end: Partial<Omit<TurnEndedFact, keyof InSession | 'type' | 'change'>>,
): TurnEndedFact {
  return {
    type: 'turn',
    change: 'ended',
    event,
    sessionId,
    endedAt: event.t,
    stopReason: undefined,
    error: undefined,
    failure: undefined,
    isInterrupted: false,
    isOfCommand: false,
    isUnanswered: false,
    took: undefined,
    text: '',
    usage: undefined,
    ...end,
  };
}

/** An activity before it has its line and its session. */
export type ActivityDraft<F extends ActivityFact = ActivityFact> = F extends ActivityFact
  ? Omit<F, keyof InSession>
  : never;
