import type { ReportedOutcome } from '../../work/outcome';
import type { Level } from '../../text/level';
import type { WireMessage } from '../../wire/wireEvent';
import type { HookTimeout } from '../../work/failures/hookTimeout';
import type { MessageFact, TurnEndedFact } from '../../work/activity';
import type { HookFact, ToolFact } from '../../work/tools/toolFacts';
import type { InterpreterSink, ReaderContext } from '../interpreter';
import type { ExchangeText } from '../jsonrpc/exchangeText';

/** What differs between the stream of a running agent and a saved file. */
export interface WriterPolicy {
  /** One turn runs at a time, and the start of a run ends it, whatever its session. Otherwise each session has its own. */
  readonly hasOneTurn: boolean;
  /** What the agent does outside a turn starts one: files leave out how some turns start. */
  readonly impliesTurns: boolean;
  /** The stop reason of turns that end without one. */
  readonly stopReason: string | undefined;
}

export const ofStream: WriterPolicy = { hasOneTurn: true, impliesTurns: false, stopReason: undefined };
export const ofFile: WriterPolicy = { hasOneTurn: false, impliesTurns: true, stopReason: 'end_turn' };

/** Receives what is read from an agent's lines. */
export interface WriterSink extends Pick<InterpreterSink, 'record' | 'earlier' | 'session' | 'fact'> {
  about?(sessionId: string, about: SessionAbout): void;
  /** Report only sessions and turns; skip all other records. */
  readonly isBrief?: boolean;
}

export type WriterContext = ReaderContext<WriterSink>;

/** A line, and the session that it belongs to. */
export interface Place {
  readonly event: WireMessage;
  readonly sessionId: string | undefined;
  /** When the agent wrote it by its own clock, in milliseconds since the epoch. A file has no other time. */
  readonly time: number | undefined;
}

/** The text of a record. */
export interface EventText extends ExchangeText {
  /** Its own time, in milliseconds since the epoch, if it isn't the line's. */
  readonly time?: number;
}

/** The session of a line, and its parent. */
export interface AgentSession {
  readonly id: string;
  /** The session that started this one. */
  readonly parent?: string | undefined;
  /** A subagent's name. */
  readonly name?: string | undefined;
}

/** What a file says about its session. */
export interface SessionAbout {
  readonly version?: string | undefined;
  readonly model?: string | undefined;
  /** The agent's working directory. */
  readonly folder?: string | undefined;
  /** The Git branch of that directory. */
  readonly branch?: string | undefined;
  /** The session that it continues as a copy; empty if the agent doesn't say which one. */
  readonly forkedFrom?: string | undefined;
}

/** The start of a session, or of another run of it. */
export interface SessionStart extends SessionAbout {
  /** The agent's name. */
  readonly agent: string;
  /** More words; all but texts are left out. */
  readonly details?: readonly (string | false | undefined)[];
  readonly isResumed?: boolean;
}

/** How a turn ended. */
export interface TurnEnding extends Partial<
  Pick<TurnEndedFact, 'failure' | 'usage' | 'answerTokens' | 'took' | 'isAnswerUnknown'>
> {
  readonly outcome: Exclude<ReportedOutcome, 'refused'>;
  /** Why it failed, in the agent's words. */
  readonly error?: string | undefined;
  /** ACP name: `end_turn`, `max_tokens`, `refusal`. */
  readonly stopReason?: string | undefined;
  /** True if it ends one of the agent's own commands, such as `/compact`. */
  readonly isCommand?: boolean;
  /** The final text, which usually repeats an earlier message. */
  readonly answer?: string | undefined;
  /** The level of its record if it succeeded. */
  readonly level?: Level;
}

/** The end of a tool call. */
export interface ToolEnd extends Partial<
  Pick<ToolFact, 'title' | 'name' | 'command' | 'input' | 'args' | 'changes' | 'exitCode' | 'error' | 'isInterrupted'>
> {
  /** `refused` by the user or a rule, `cancelled` while it ran; neither is a tool failure. Absent if the agent's status says none of these. */
  readonly outcome: ReportedOutcome | undefined;
  /** The agent's status, in its record instead of the outcome. */
  readonly status?: string | undefined;
  /** Milliseconds. */
  readonly ms?: number | undefined;
  readonly output: string;
  /** Its output in its record, if that is another text. */
  readonly shown?: string;
}

/** The end of a hook. */
export interface HookEnd extends Pick<HookFact, 'name' | 'toolId' | 'exitCode'> {
  /** `refused`: it blocked what it was asked about, or stopped the agent. */
  readonly outcome: ReportedOutcome;
  /** Milliseconds. */
  readonly ms?: number | undefined;
  /** Why it blocked, or else what it printed. */
  readonly output: string;
  readonly command?: string | undefined;
  /** Set if it ran into its time limit and the agent says so besides the output. */
  readonly timeout?: HookTimeout | undefined;
}

/** A failed attempt that the agent retries. */
export interface Retry {
  readonly attempt?: number | undefined;
  readonly max?: number | undefined;
  /** Milliseconds until the next attempt. */
  readonly inMs?: number | undefined;
  /** HTTP status. */
  readonly status?: number | undefined;
  readonly why: string;
}

export type Speaker = Exclude<MessageFact['speaker'], 'user'>;

export interface AnswerOptions {
  /** The agent was interrupted. */
  readonly isCut?: boolean;
  readonly speaker?: Speaker;
  readonly logger?: string;
}

/** An end of a turn that later lines may change. */
export interface HeldEnd {
  readonly place: Place;
  readonly end: TurnEnding;
  /** True if another attempt is likely, even minutes later. */
  readonly mayBeRetried?: boolean;
  /** Where the agent announced the other attempt. */
  readonly retriedAt?: Place;
}
