// What the extension `agent-logs.agent-logs` exports, for other extensions to copy:
//
//   const extension = vscode.extensions.getExtension<AgentLogsApi>('agent-logs.agent-logs');
//   const api = await extension?.activate();

import type { Event, Uri } from 'vscode';

/** The levels of RFC 5424, section 6.2.1, from the least severe to the most. */
export type Level = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';
export type Threshold = Level | 'off';

export interface AgentLogsApi {
  readonly version: 1;
  /** Runs of this window, newest first, then runs that were read from files. */
  readonly runs: readonly Run[];
  readonly onDidChangeRuns: Event<void>;
  /** Starts an agent of the settings. Resolves when it has answered `initialize`. */
  start(agent: string): Promise<Run>;
  /**
   * Opens a journal, a saved session, an agent's stream, a trace or a log, and follows it while it grows.
   * @throws TypeError if the URI isn't that of a file
   */
  open(uri: Uri): Promise<Run>;
  /**
   * Begins a run of an agent that your extension runs itself.
   * A window shows published runs under 50 names at most: a new name removes the ended runs of the oldest. Their journals stay.
   * @throws TypeError if the name is empty or the protocol unknown
   * @throws Error if 100 published runs, or runs of 50 other names, haven't ended
   */
  publish(options: { readonly name: string; readonly protocol: 'acp' | 'mcp' | 'stream-json' }): Publisher;
}

/** Receives the lines between your extension and its agent. Lines after `end` are ignored. */
export interface Publisher {
  readonly run: Run;
  /** @param direction `c2a`: to the agent; `a2c`: from it; `err`: of its standard error */
  line(direction: 'c2a' | 'a2c' | 'err', text: string): void;
  end(termination?: Termination): void;
  dispose(): void;
}

/** A run of an agent, from its start to its exit, or a file that was opened. */
export interface Run {
  readonly id: string;
  readonly name: string;
  /** `acp`, `mcp`, `lsp`, `stream-json`, or `log` for a file that is the log of any program. */
  readonly protocol: string;
  readonly state: 'starting' | 'running' | 'stopping' | 'ended';
  readonly pid?: number | undefined;
  readonly level: Threshold;
  /** The newest file of its journal. Absent until something was written. */
  readonly journal?: Uri | undefined;
  readonly termination?: Termination | undefined;
  readonly sessions: readonly Session[];
  /** Requests without a response yet, and calls that continue as MCP tasks. */
  readonly requests: readonly Request[];
  /** Number of records that are no longer in memory. The journal still has them. */
  readonly dropped: number;
  /**
   * The newest 5,000 matching records, in order of arrival. Because it returns at once, records that memory has no room for are only found in the
   * newest 4 MB of the run's file. `query` returns all records in pages.
   */
  records(query?: RecordQuery): LogRecord[];
  /**
   * A page of the records that match a query in the explorer's language (docs/query.md), newest last, and how many match in all.
   * @param options `from`: position of the first among the matches, from 0; without it, the newest page. `count`: 100 by default, at most 1000.
   * @throws if a regular expression is invalid or too slow
   */
  query(query: string, options?: { from?: number; count?: number }): Promise<{ total: number; records: LogRecord[] }>;
  readonly onDidAppend: Event<readonly LogRecord[]>;
  /** Turns, tool calls and other steps, running and ended, in order of their start: the newest 10,000, and of requests and other spans of traces the newest 5,000. */
  spans(query?: SpanQuery): Span[];
  newSession(cwd?: string): Promise<string>;
  prompt(sessionId: string, text: string): Promise<{ stopReason: string }>;
  /** Calls a tool of an MCP server. Resolves with the result as received, which may have `isError`. */
  callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<unknown>;
  cancel(target: { sessionId: string } | { requestId: string | number }): Promise<void>;
  setLevel(level: Threshold): Promise<{
    readonly shown: boolean;
    readonly agent: 'applied' | 'unsupported' | 'needs-restart' | 'failed';
    /** VS Code's own level of the output channel lets this level through. */
    readonly channel: boolean;
    /** The output channel is closed. It gets the level the next time it's opened, and writes debug as info until then. */
    readonly channelWhenShown?: true;
  }>;
  stop(): Promise<Termination>;
}

export interface Session {
  readonly id: string;
  readonly title?: string;
  /** The ID of the session that started this one, if it's a subagent's. */
  readonly parent?: string;
  /** In milliseconds since the epoch, like all times here. */
  readonly startedAt: number;
  readonly counts: Readonly<Record<Level, number>>;
  readonly ended?: boolean;
}

export interface Request {
  readonly id: string | number;
  readonly method: string;
  /** `out`: to the agent. `in`: from the agent. */
  readonly direction: 'in' | 'out';
  readonly startedAt: number;
  readonly sessionId?: string;
  readonly progress?: { readonly progress: number; readonly total?: number; readonly message?: string };
}

export type RecordKind = 'log' | 'notice' | 'stderr' | 'activity' | 'lifecycle' | 'diagnosis' | 'wire';

export interface RecordQuery {
  /** Records of this session; `null` for records without a session. */
  readonly sessionId?: string | null | undefined;
  readonly minLevel?: Threshold | undefined;
  readonly kinds?: readonly RecordKind[] | undefined;
  /** Part of the message or the logger, ignoring case. */
  readonly text?: string | undefined;
  /** Received at or after this time. */
  readonly since?: number | undefined;
  /** Maximum number, at most 5,000; the newest are kept. */
  readonly limit?: number | undefined;
}

export interface LogRecord {
  /** The order of arrival in the run, from 1. */
  readonly seq: number;
  readonly receivedAt: number;
  /** The agent's own timestamp. */
  readonly time?: number;
  readonly level: Level;
  readonly kind: RecordKind;
  readonly sessionId?: string;
  readonly logger?: string;
  readonly message: string;
  readonly data?: unknown;
}

export type SpanKind = 'turn' | 'tool' | 'permission' | 'request' | 'subagent' | 'compaction' | 'hook' | 'span';

export interface SpanQuery {
  readonly sessionId?: string | undefined;
  readonly kinds?: readonly SpanKind[] | undefined;
  /** Running at or after this time. */
  readonly since?: number | undefined;
  /** Maximum number; the newest are kept. */
  readonly limit?: number | undefined;
}

/** A turn, or a step of one. A request that is a step of another kind, such as `session/prompt`, has no span of its own. */
export interface Span {
  /** Unique in the run. */
  readonly id: string;
  /** ID of the span that contains it. */
  readonly parent?: string;
  readonly sessionId?: string;
  readonly kind: SpanKind;
  readonly title: string;
  readonly startedAt: number;
  /** Absent while it is running. */
  readonly endedAt?: number;
  /** `unanswered`: it has no end. */
  readonly outcome?: 'ok' | 'error' | 'cancelled' | 'refused' | 'unanswered' | 'unknown';
  /** More about the outcome: a stop reason, an exit code, an error. */
  readonly detail?: string;
  /** The first and the last of the records that it covers. */
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** Of a turn, if its agent reports tokens. */
  readonly usage?: {
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
    /** Tokens in the model's context after the latest model request; known before the turn ends if the agent says so. */
    readonly contextTokens?: number;
    /** How many tokens the model's context can have. */
    readonly contextWindow?: number;
    readonly costUsd?: number;
    /**
     * What the counts cover. `turn`: this turn. `cumulative`: the session so far. `unknown`: the agent doesn't say, or it counts something else, as
     * OpenCode and Kilo Code do over ACP (only the turn's last model request); don't add these up.
     */
    readonly basis: 'turn' | 'cumulative' | 'unknown';
  };
  /** Of a tool call: the tool's name, and the agent's ID of the call. */
  readonly toolName?: string;
  readonly callId?: string;
  /** The files that a tool call changed, by its record; of a turn only those that the agent had its client write. */
  readonly changes?: readonly {
    /** As the agent names it. */
    readonly path: string;
    /** `written`: whole, whether or not it existed. */
    readonly kind: 'created' | 'edited' | 'written' | 'deleted' | 'moved';
    /** Of a file that was moved: where it was. */
    readonly from?: string;
    /** Lines. */
    readonly added: number;
    readonly removed: number;
    /** The record has no text, so the lines are unknown. */
    readonly isUncounted?: true;
  }[];
  /** How often the agent tried something again during the turn. */
  readonly retries?: number;
  /** The model that the turn continued with, if the agent reports it. */
  readonly model?: string;
  /** The trace context of the client's request (W3C Trace Context). */
  readonly traceparent?: string;
}

export interface Termination {
  readonly reason: 'completed' | 'error' | 'terminated';
  /** `client` is Agent Logs; `system` is anything else except the agent. */
  readonly terminatedBy: 'agent' | 'client' | 'system';
  readonly message?: string;
  readonly exitCode?: number;
  readonly signal?: string;
  /** At most 50 lines each. */
  readonly stderr?: {
    readonly head?: string;
    readonly tail?: string;
    readonly truncated: boolean;
    readonly totalLines: number;
  };
  /** Why the process ended without being asked to, if known. */
  readonly cause?: {
    /** The agent's last words, or what was found. */
    readonly what?: string;
    /** Where the agent printed them. */
    readonly by?: 'stderr' | 'stdout';
    readonly advice?: string;
  };
}
