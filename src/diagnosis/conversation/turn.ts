import { ownHead } from '../../log/ownText';
import type { Asking, TurnCancel } from '../../work/activity';
import { maxPrompt } from '../../work/activity';
import { BoundedMap } from '../../log/boundedMap';
import type { WireMessage, WireProcessEvent } from '../../wire/wireEvent';
import type { RpcError } from '../../work/rpcError';

/** A problem that the agent reported during a turn. */
export interface Trouble {
  readonly message: string;
  /** The agent said that it won't retry. */
  readonly isFinal: boolean;
  /** Reported only on standard error. */
  readonly isOnStderr?: boolean;
  /** The agent said that the whole turn failed. */
  readonly isEnd?: boolean;
}

/** A running tool call. */
interface RunningTool {
  readonly title: string;
  readonly since: number;
  /** A subagent whose session the agent doesn't announce. */
  readonly isSubagent?: boolean;
}

/** A running turn: its prompt and what has happened since. */
export interface Turn {
  readonly sessionId: string;
  readonly startedAt: number;
  /** Whether it was read live. The time of lines that were already in a file is unknown. */
  isFollowed: boolean;
  /** The beginning of the prompt. */
  readonly prompt: string;
  /** The beginning of the agent's answer. */
  text: string;
  /** The answer since the trouble. */
  textSinceTrouble: string;
  /** The answer since the agent last thought, planned or acted. */
  lastText: string;
  /** The latest chunk of the answer, if it came after the end of a sentence; otherwise empty. */
  lastSentence: string;
  /** Whether the agent thought, planned or acted. */
  hasActed: boolean;
  /** Whether the agent called a tool. */
  hasCalledTool: boolean;
  actedSinceTrouble: boolean;
  trouble: Trouble | undefined;
  retries: number;
  /** The maximum number of retries, if the agent reports it. */
  maxRetries: number | undefined;
  cancel: TurnCancel | undefined;
  /** Whether the client has closed the session. */
  isSessionClosed: boolean;
  /** Open questions to the user, oldest first. */
  readonly questions: BoundedMap<string, Asking>;
  readonly tools: Map<string, RunningTool>;
  /** Subagents that work for this turn, by session or task ID. */
  readonly subagents: Map<string, RunningTool>;
  /** When the agent last sent or received something for this turn. */
  lastAt: number;
  isAnswering: boolean;
  /** Whether the agent is compacting the conversation, which takes long. */
  isCompacting: boolean;
}

export interface EndedTurn extends Turn {
  readonly endedAt: number;
  /** Duration in milliseconds, if known. */
  readonly took: number | undefined;
  readonly stopReason: string | undefined;
  readonly error: RpcError | undefined;
  /** Tokens used, if the answer reports them. */
  readonly tokens: number | undefined;
  /** Output tokens of the last model request, if known. */
  readonly answerTokens: number | undefined;
  /** The agent ended before it answered. */
  readonly isUnanswered: boolean;
}

/** The end of a turn, whatever ended it. */
export interface TurnEnd {
  readonly event: WireMessage | WireProcessEvent;
  readonly turn: EndedTurn;
  /** The agent ran one of its own commands, such as `/compact`, instead of its model. */
  readonly isOfCommand?: true;
}

/** Maximum length of a kept text, in characters. */
const maxText = 2000;
/** Maximum number of running tools to follow. */
const maxTools = 100;
const maxQuestions = 100;

export function newTurn(sessionId: string, startedAt: number, prompt: string): Turn {
  return {
    sessionId,
    startedAt,
    isFollowed: true,
    prompt: ownHead(prompt, maxPrompt),
    text: '',
    textSinceTrouble: '',
    lastText: '',
    lastSentence: '',
    hasActed: false,
    hasCalledTool: false,
    actedSinceTrouble: false,
    trouble: undefined,
    retries: 0,
    maxRetries: undefined,
    cancel: undefined,
    isSessionClosed: false,
    questions: new BoundedMap(maxQuestions),
    tools: new Map(),
    subagents: new Map(),
    lastAt: startedAt,
    isAnswering: false,
    isCompacting: false,
  };
}

export function endTurn(turn: Turn, endedAt: number, end: Partial<Omit<EndedTurn, keyof Turn | 'endedAt'>>): EndedTurn {
  // The clock may have been set back, and lines read at once have no usable times.
  const took = turn.isFollowed && endedAt > turn.startedAt ? endedAt - turn.startedAt : end.took;
  return {
    ...turn,
    stopReason: undefined,
    error: undefined,
    tokens: undefined,
    answerTokens: undefined,
    isUnanswered: false,
    ...end,
    endedAt,
    took,
  };
}

export function addText(turn: Turn, text: string): void {
  if (turn.text.length < maxText) turn.text += ownHead(text, maxText);
  if (turn.trouble && turn.textSinceTrouble.length < maxText) turn.textSinceTrouble += ownHead(text, maxText);
  if (text !== '') turn.lastSentence = /[.!?…。！？]\s*$/.test(turn.lastText) ? ownHead(text, maxText) : '';
  if (turn.lastText.length < maxText) turn.lastText += ownHead(text, maxText);
  turn.isAnswering = true;
  turn.isCompacting = false;
}

export function addAct(turn: Turn): void {
  turn.hasActed = true;
  turn.lastText = '';
  turn.actedSinceTrouble = true;
  turn.isAnswering = false;
  turn.isCompacting = false;
}

export function addTrouble(turn: Turn, trouble: Trouble): void {
  turn.trouble = { ...trouble, message: ownHead(trouble.message, maxText) };
  turn.textSinceTrouble = '';
  turn.actedSinceTrouble = false;
}

/** What the agent is asking the user now. */
export function askingOf({ questions }: Turn): Asking | undefined {
  return questions.find(() => true);
}

/** Whether the agent is retrying, with no result yet. */
export function isRetrying(turn: Turn): boolean {
  return turn.trouble?.isFinal === false && !turn.actedSinceTrouble && turn.textSinceTrouble === '';
}

/** If the final answer repeats earlier text, that text came after all trouble, so the agent recovered. */
export function addFinalText(turn: Turn, text: string): void {
  if (turn.text === '') addText(turn, text);
  else if (turn.trouble && turn.textSinceTrouble === '') turn.textSinceTrouble = ownHead(text, maxText);
  if (turn.lastText === '') turn.lastText = ownHead(text, maxText);
}

export function startTool(turn: Turn, id: string, title: string, at: number, isSubagent = false): void {
  const known = turn.tools.get(id);
  if (!known && turn.tools.size >= maxTools) return;
  const isStillSubagent = isSubagent || known?.isSubagent === true;
  turn.tools.set(id, { title, since: known?.since ?? at, ...(isStillSubagent && { isSubagent: true }) });
}

export function startSubagent(turn: Turn, id: string, title: string, at: number): void {
  if (turn.subagents.size < maxTools) turn.subagents.set(id, { title, since: at });
}

/** The tool starts running only now: until then it waited for the user. */
export function restartTool(turn: Turn, id: string, at: number): void {
  const known = turn.tools.get(id);
  if (known) turn.tools.set(id, { ...known, since: at });
}
