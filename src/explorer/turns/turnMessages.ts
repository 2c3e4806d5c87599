import type { Outcome } from '../../work/outcome';
import type { WireText } from '../wire/wireMessages';

// As in timeline/span.ts, whose types the page can't compile.
export type SpanKind = 'turn' | 'tool' | 'permission' | 'request' | 'subagent' | 'compaction' | 'hook' | 'span';

/** A turn or a part of one, ready to be shown. Times are in milliseconds since the epoch. */
export interface SpanRow extends ChangedSpan {
  /** '' if it is part of nothing. */
  readonly parent: string;
  /** Its session's title. */
  readonly session: string;
  /** The same for the spans of one session; never its whole id. */
  readonly sessionKey: string;
  readonly kind: SpanKind;
  /** Of a tool call: the tool, or what it does if the agent has no name for it. */
  readonly tool: string;
  readonly title: string;
  readonly start: number;
  /** -1 while it goes on. */
  readonly end: number;
  readonly outcome: Outcome | 'open';
  readonly detail: string;
  /** Why it failed, or what went wrong in it. */
  readonly problem?: SpanProblem;
  readonly firstSeq: number;
  /** Includes the record of its problem. */
  readonly lastSeq: number;
  /** Tokens and cost in short, and what they count. */
  readonly tokens: string;
  /** How many they are; -1 if unknown. */
  readonly used: number;
  /** The same exactly. */
  readonly usage: string;
  /** Of a turn whose cost jumps: why. */
  readonly jump: string;
  /** What it changed in short: `3 files, +40 −12`, or of a call `a.ts +3 −1`. */
  readonly changes: string;
  /** Of a turn: where its time went. */
  readonly summary: string;
  /** What it is if it is from the run of an MCP server that a tool call went to. Its records are that run's. */
  readonly lane?: 'mcp' | 'progress' | 'log' | 'stderr';
  /** The other run: the server's, or, of a server's request, that of the agent that caused it. */
  readonly far?: FarRun;
}

/** A span, and the files that it changed. */
export interface ChangedSpan {
  readonly id: string;
  readonly files: readonly ChangedRow[];
}

/** A file that a span changed. */
export interface ChangedRow {
  readonly path: string;
  /** `+3 −1`, or what else happened to it. */
  readonly what: string;
}

/** The run at the other end of a call. */
export interface FarRun {
  readonly name: string;
  /** Whether it is that of an MCP server. */
  readonly isServer: boolean;
  /** Nothing in both runs says that they belong together: name, arguments and time fit. */
  readonly isInferred: boolean;
}

/** The problem of a turn or a tool call, in short. */
export interface SpanProblem {
  readonly seq: number;
  /** 0 (debug) to 7 (emergency). */
  readonly level: number;
  readonly title: string;
  readonly what: string;
}

/** What an agent asked of an MCP server and got, beside what the server got and answered. */
export interface BothEnds {
  /** The agent's, then the server's. */
  readonly sides: readonly CallSide[];
  readonly differences: readonly Difference[];
}

/** One end of a call. Texts are ready to be shown. */
export interface CallSide {
  readonly title: string;
  /** Names and values. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The arguments, then the result. */
  readonly texts: readonly WireText[];
}

/** What differs between both ends. */
export interface Difference {
  readonly text: string;
  /** False for what is only good to know, such as that the agent has another name for the tool. */
  readonly isLoss: boolean;
}
