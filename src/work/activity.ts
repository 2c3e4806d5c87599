import type { QuotaWindow } from './usage/quotaWindow';
import type { TurnFailure } from './failures/turnFailure';
import type { ReportedOutcome } from './outcome';
import type { InSession } from './inSession';
import type { HookFact, TerminalFact, ToolFact } from './tools/toolFacts';
import type { RpcError } from './rpcError';

/** Maximum length of a kept prompt, in characters. */
export const maxPrompt = 1000;
/** Maximum length of the ID of a tool call, question or task, in characters. */
export const maxActivityId = 200;

/** Tokens, counted as OpenTelemetry's GenAI conventions define them, and cost. */
export interface Usage {
  /** All input, with what was read from and written to the provider's cache. */
  readonly inputTokens?: number;
  /** All output, with reasoning. */
  readonly outputTokens?: number;
  readonly totalTokens?: number;
  /** The part of the input that was read from the cache. */
  readonly cachedTokens?: number;
  /** The part of the input that was written to the cache. */
  readonly cacheWriteTokens?: number;
  /** The part of the output that was reasoning. */
  readonly reasoningTokens?: number;
  /** Tokens in the model's context after the latest model request. */
  readonly contextTokens?: number;
  /** How many tokens the model's context can have. */
  readonly contextWindow?: number;
  readonly costUsd?: number;
  /** `turn`: of this turn only. `cumulative`: of the session so far. `request`: of the turn's last model request. */
  readonly basis: 'turn' | 'cumulative' | 'request' | 'unknown';
}

/** How a subagent's turn is cancelled with its parent's. It may still continue in the background. */
export const cancelOfParent = "its parent's session/cancel";

/** When and how a turn was cancelled. */
export interface TurnCancel {
  readonly at: number;
  readonly method: string;
  /** An earlier cancel that had no effect yet. */
  readonly earlier?: TurnCancel | undefined;
}

export interface TurnStartedFact extends InSession {
  readonly type: 'turn';
  readonly change: 'started';
  /** Milliseconds since the epoch. Earlier than the event if the prompt waited for another turn. */
  readonly startedAt: number;
  /** When it started by the agent's clock. */
  readonly time?: number | undefined;
  /** The beginning of the prompt; empty if unknown or if there is none. */
  readonly prompt: string;
  /** The agent started the turn without a prompt. */
  readonly isUnprompted: boolean;
  /** The cancel that arrived while the prompt waited for another turn. */
  readonly cancel: TurnCancel | undefined;
}

/** `resumed`: a turn that was given up as dead (`isUnanswered`) continues. `dropped`: the turn had no output, and its prompt starts another. */
export interface TurnMovedFact extends InSession {
  readonly type: 'turn';
  readonly change: 'resumed' | 'dropped';
}

/** The client asked to cancel the turn, by this method. */
export interface TurnCancelledFact extends InSession {
  readonly type: 'turn';
  readonly change: 'cancelled';
  readonly method: string;
}

/** The client is closing the turn's session. */
export interface TurnClosingFact extends InSession {
  readonly type: 'turn';
  readonly change: 'closing';
}

/** A turn ended, possibly one whose start wasn't seen. Turns that end with the process have no such fact. */
export interface TurnEndedFact extends InSession {
  readonly type: 'turn';
  readonly change: 'ended';
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
  readonly stopReason: string | undefined;
  readonly error: RpcError | undefined;
  readonly failure: TurnFailure | undefined;
  /** The user interrupted it. */
  readonly isInterrupted: boolean;
  /** The agent ran one of its own commands, such as `/compact`, instead of its model. */
  readonly isOfCommand: boolean;
  /** Its end never came, and another run started. */
  readonly isUnanswered: boolean;
  /** The agent's answer wasn't recorded. */
  readonly isAnswerUnknown?: boolean | undefined;
  /** Duration reported by the agent, in milliseconds. */
  readonly took: number | undefined;
  /** The final text, which usually repeats an earlier message. */
  readonly text: string;
  readonly usage: Usage | undefined;
  /** Output tokens of its last model request, if the agent counts each. */
  readonly answerTokens?: number | undefined;
}

export type TurnFact = TurnStartedFact | TurnMovedFact | TurnCancelledFact | TurnClosingFact | TurnEndedFact;

/** A message of the user or the agent. */
export interface MessageFact extends InSession {
  readonly type: 'message';
  readonly speaker: 'user' | 'agent' | 'subagent' | 'thought';
  /** A message or a chunk of one. */
  readonly text: string;
  /** The complete message follows later. */
  readonly isPartial: boolean;
}

/** The agent thinks, plans or does something that no other fact covers. */
export interface ProgressFact extends InSession {
  readonly type: 'progress';
}

/** The agent asks the user something. */
export interface PermissionFact extends InSession {
  readonly type: 'permission';
  readonly change: 'asked' | 'settled';
  /** The question's ID, at most 200 characters. */
  readonly id: string;
  readonly asking: Asking;
  /** The tool call that is waiting for the answer. */
  readonly toolId: string | undefined;
  readonly title?: string | undefined;
  /** The tool that it is about, as far as the question says. */
  readonly tool?: AskedTool | undefined;
  /** Of a settled question; `undefined` if the answer says neither. */
  readonly outcome?: Exclude<ReportedOutcome, 'error'> | undefined;
  /** The answer holds for later questions, too: the words of its option. */
  readonly always?: string | undefined;
  /** The answer is unknown: a hook gave it, or the input ended. The tool may run nevertheless. */
  readonly isLost?: boolean;
}

/** The tool that a permission is asked for. */
export interface AskedTool {
  /** ACP's kind of tool: `edit`, `execute`. */
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly command?: string | undefined;
  /** Stands for its input: see `inputDigest`. */
  readonly input?: string | undefined;
}

/** What the user is asked for: permission, an answer to a question, or approval of a plan. */
export type Asking = 'permission' | 'answer' | 'plan';

/** The agent is retrying after a failure, or stops retrying. */
export interface RetryFact extends InSession {
  readonly type: 'retry';
  readonly change: 'retrying' | 'gave-up';
  /** What happened, for display. `undefined` if the agent only says that it gave up. */
  readonly message: string | undefined;
  readonly details?: string | undefined;
  /** The cause, if the message doesn't include it. */
  readonly reason?: string | undefined;
  /** The maximum number of retries, if the agent has a field for that. */
  readonly maxRetries?: number | undefined;
  /** Whether a rate limit is the cause, if the agent has a field for that. */
  readonly isLimit?: boolean | undefined;
  /** The entire turn has failed, whatever its response says. */
  readonly isOfTurn?: boolean | undefined;
}

/** How much of the account's limit is used. */
export interface LimitFact extends InSession {
  readonly type: 'limit';
  /** `covered`: reached, but further use is paid for. */
  readonly state: 'near' | 'reached' | 'covered';
  readonly window: string | undefined;
  /** Milliseconds since the epoch. */
  readonly resetsAt: number | undefined;
}

/** How much of the account's limits is used. */
export interface QuotaFact extends InSession {
  readonly type: 'quota';
  readonly windows: readonly QuotaWindow[];
}

/** The session's model, from here on. */
export interface ModelFact extends InSession {
  readonly type: 'model';
  /** `undefined` if the agent may choose. */
  readonly to: string | undefined;
  /** An answer names it. Otherwise it was chosen or announced. */
  readonly isAnswer?: boolean;
  /** The model in use refused. */
  readonly isFallback: boolean;
}

/**
 * What a model request of the session's own conversation used, or how full its context is. The end of a turn has the turn's sum. Contains only
 * what the line says: `contextTokens` is 0 if the context was emptied.
 */
export interface UsageFact extends InSession {
  readonly type: 'usage';
  /** The model request's ID. Later facts of the same request replace earlier ones. */
  readonly id: string | undefined;
  readonly usage: Usage;
  /** What that adds to the session's running turn, or to its newest, if the agent's lines say it before the end, or without one. */
  readonly spent?: Usage | undefined;
  /** What the turns cost since the last such fact, by model, in US dollars, if the agent only reports sums. */
  readonly costs?: Readonly<Record<string, number>> | undefined;
}

/** What the agent of a session has at hand, as it begins. */
export interface EquipmentFact extends InSession {
  readonly type: 'equipment';
  /** The names of its tools, in the order in which its model gets them. */
  readonly tools: readonly string[];
  readonly servers: readonly McpServerState[];
}

/** An MCP server that an agent uses. */
export interface McpServerState {
  readonly name: string;
  /** `starting`: it may still fail. */
  readonly state: 'connected' | 'starting' | 'failed' | 'needs-login';
}

/** A message from the agent to the user outside of its answer. */
export interface NoticeFact extends InSession {
  readonly type: 'notice';
  /** `error`: the agent shows its own error as an answer. */
  readonly about: 'any' | 'transcript' | 'error';
  readonly text: string;
  /** A field marks it as such, not only its text. */
  readonly isCertain?: boolean;
}

/** Compaction of the conversation started or ended. */
export interface CompactionFact extends InSession {
  readonly type: 'compaction';
  readonly change: 'started' | 'ended';
  readonly isFailed: boolean;
  readonly isCancelled?: boolean;
  /** Tokens that were in the context, and that are left, if known. */
  readonly tokensBefore?: number | undefined;
  readonly contextTokens?: number | undefined;
}

/** The session reports that it is waiting for the user; the question may come before or after this. */
export interface WaitingFact extends InSession {
  readonly type: 'waiting';
}

/** A subagent or a background task. `sessionId` is the session that started it. */
export interface SubagentFact extends InSession {
  readonly type: 'subagent';
  /** `refused`: the announcement is invalid and ignored. */
  readonly change: 'started' | 'ended' | 'refused';
  /** The ID of the task or of its session, at most 200 characters. */
  readonly id: string;
  readonly title: string | undefined;
  readonly outcome?: Exclude<ReportedOutcome, 'refused'> | undefined;
  /** Why it was refused. */
  readonly problem?: 'itself' | 'ancestor' | 'other-parent' | 'too-many' | undefined;
}

/** Something that a program traced of its work, such as a request to a server or a query: no turn, tool call or question. */
export interface SpanFact extends InSession {
  readonly type: 'span';
  readonly change: 'started' | 'ended';
  /** At most 200 characters. */
  readonly id: string;
  /** The ID of the span or tool call that it is part of. */
  readonly parentId?: string | undefined;
  readonly title: string;
  /** Why it failed; empty if unknown. */
  readonly error: string | undefined;
}

/** Facts about a session's work, the same for every protocol and vendor. They follow the fact of their line. */
export type ActivityFact =
  | TurnFact
  | MessageFact
  | ToolFact
  | TerminalFact
  | ProgressFact
  | PermissionFact
  | RetryFact
  | LimitFact
  | QuotaFact
  | ModelFact
  | UsageFact
  | EquipmentFact
  | NoticeFact
  | CompactionFact
  | WaitingFact
  | SubagentFact
  | HookFact
  | SpanFact;

const activities: ReadonlySet<string> = new Set(
  Object.keys({
    turn: true,
    message: true,
    tool: true,
    terminal: true,
    progress: true,
    permission: true,
    retry: true,
    limit: true,
    quota: true,
    model: true,
    usage: true,
    equipment: true,
    notice: true,
    compaction: true,
    waiting: true,
    subagent: true,
    hook: true,
    span: true,
  } satisfies Record<ActivityFact['type'], true>),
);

export function isActivity(fact: { readonly type: string }): fact is ActivityFact {
  return activities.has(fact.type);
}

/** Creates the fact that a turn ended with this line. Fields that aren't in `end` are unknown or false. */
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

/** An activity without its line and session. */
export type ActivityDraft<F extends ActivityFact = ActivityFact> = F extends ActivityFact
  ? Omit<F, keyof InSession>
  : never;
