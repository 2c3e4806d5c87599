import { BoundedMap } from '../text/boundedMap';
import { ownHead } from '../text/ownText';
import { oneLine } from '../text/text';
import type { WireMessage, WireProcessEvent } from '../wire/wireEvent';
import type { Asking, TurnCancel } from './activity';
import { cancelOfParent, maxPrompt } from './activity';
import { classOfFailure } from './failures/failureClass';
import type { FailureClass } from './failures/failurePatterns';
import { saysMore } from './failures/ranking';
import type { RpcError } from './rpcError';
import type { Outcome } from './outcome';
import type { Step } from './step';
import { maxTitle, maxTurnTitle } from './step';
import type { HookBlock } from './tools/hookBlock';

/** A problem that the agent reported during a turn. */
export interface Trouble {
  readonly message: string;
  /** The agent said that it won't retry. */
  readonly isFinal: boolean;
  /** Reported only on standard error or in a log message. */
  readonly isOnStderr?: boolean;
  /** The agent said that the whole turn failed. */
  readonly isEnd?: boolean;
}

/** What was said about a failure. */
export interface Said {
  readonly words: string;
  readonly failure: FailureClass;
}

/** What a turn knows of a running tool call. */
interface RunningTool {
  readonly title: string;
  readonly since: number;
  readonly isSubagent: boolean;
}

/** A subagent that works for a turn. */
interface RunningSubagent {
  readonly title: string;
  readonly since: number;
}

/** A question to the user. */
export interface Question {
  /** The same as long as it is open: see `keyOf`. */
  readonly key: string;
  readonly asking: Asking;
  /** What it is about, if it says so. */
  readonly subject: string | undefined;
  /** Ends with the answer, with its turn, or with the process. */
  readonly step: Step;
}

/** A turn: its prompt and what has happened since. */
export interface Turn extends Step {
  readonly kind: 'turn';
  /** Whether it was read live. The time of lines that were already in a file is unknown. */
  isFollowed: boolean;
  /** When it started by the agent's clock. */
  readonly ownStart: number | undefined;
  /** The beginning of the prompt. */
  readonly prompt: string;
  /** The agent started it by itself. */
  readonly isUnprompted: boolean;
  /** The beginning of the agent's answer. */
  text: string;
  /** The answer since the trouble. */
  textSinceTrouble: string;
  /** The answer since the agent last thought, planned or acted. */
  lastText: string;
  /** What the answer was before the agent last acted, if it has been silent since. */
  earlierText: string;
  /** The latest chunk of the answer, if it came after the end of a sentence; otherwise empty. */
  lastSentence: string;
  /** The hook that blocked its prompt, or stopped the agent. */
  hook: HookBlock | undefined;
  /** Whether the agent thought, planned or acted. */
  hasActed: boolean;
  /** Whether the agent called a tool. */
  hasCalledTool: boolean;
  actedSinceTrouble: boolean;
  trouble: Trouble | undefined;
  /** The most specific of what was said about its trouble since the agent last acted. */
  cause: Said | undefined;
  retries: number;
  /** The maximum number of retries, if the agent reports it. */
  maxRetries: number | undefined;
  cancel: TurnCancel | undefined;
  /** Whether nobody expects it to succeed, because it is cancelled or its session is closed. */
  isUnwanted: boolean;
  /** Whether the client has closed the session. */
  isSessionClosed: boolean;
  /** Open questions to the user, oldest first. */
  readonly questions: BoundedMap<string, Question>;
  /** Number of tool calls that have ended, and of those that had when the agent last said something. */
  endedCalls: number;
  callsAtText: number;
  /** How the latest of them ended. */
  lastCall: Outcome | undefined;
  /** Its running tool calls that have IDs. */
  readonly tools: Map<string, RunningTool>;
  /** By session or task ID. */
  readonly subagents: Map<string, RunningSubagent>;
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
  /** The agent's answer wasn't recorded. */
  readonly isAnswerUnknown?: true;
}

/** Maximum length of a kept text, in characters. */
const maxText = 2000;
/** Maximum length of the kept end of an answer, in characters: it may report failures anywhere. */
const maxAnswer = 8000;
/** A sentence's end is looked for in this many characters. */
const maxTail = 50;
/** Maximum number of running tools to follow. */
const maxTools = 100;
const maxQuestions = 100;

/** The title of a turn whose prompt isn't known. */
const unknownPrompt = 'turn';

type Begun = Pick<
  Turn,
  | 'id'
  | 'parent'
  | 'sessionId'
  | 'startedAt'
  | 'ownStart'
  | 'prompt'
  | 'isUnprompted'
  | 'cancel'
  | 'lastAt'
  | 'traceparent'
>;

export function newTurn(begun: Begun): Turn {
  return {
    ...begun,
    kind: 'turn',
    title: oneLine(begun.prompt === '' ? unknownPrompt : begun.prompt, maxTurnTitle),
    prompt: ownHead(begun.prompt, maxPrompt),
    isFollowed: true,
    text: '',
    textSinceTrouble: '',
    lastText: '',
    earlierText: '',
    lastSentence: '',
    hook: undefined,
    hasActed: begun.isUnprompted,
    hasCalledTool: false,
    actedSinceTrouble: false,
    trouble: undefined,
    cause: undefined,
    retries: 0,
    maxRetries: undefined,
    isUnwanted: begun.cancel !== undefined,
    isSessionClosed: false,
    questions: new BoundedMap(maxQuestions),
    endedCalls: 0,
    callsAtText: 0,
    lastCall: undefined,
    tools: new Map(),
    subagents: new Map(),
    isAnswering: false,
    isCompacting: false,
  };
}

/** Names the turn after its prompt, from agents that echo it. Returns whether its title has changed. */
export function addPrompt(turn: Turn, text: string): boolean {
  if (turn.title !== unknownPrompt || text === '') return false;
  turn.title = oneLine(text, maxTitle);
  return true;
}

export function cancelTurn(turn: Turn, at: number, method: string): void {
  turn.cancel = { at, method, earlier: turn.cancel };
  // A subagent may continue without its parent.
  turn.isUnwanted ||= method !== cancelOfParent;
}

export function endedTurn(turn: Turn, endedAt: number, end: Partial<Omit<EndedTurn, keyof Turn>>): EndedTurn {
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
  if (turn.text.length < maxText) turn.text += text;
  if (turn.trouble && turn.textSinceTrouble.length < maxText) turn.textSinceTrouble += text;
  if (text !== '') {
    turn.lastSentence = /[.!?…。！？]\s*$/.test(turn.lastText.slice(-maxTail)) ? ownHead(text, maxText) : '';
  }
  if (turn.lastText.length < maxAnswer) turn.lastText += text;
  if (text.trim() !== '') turn.callsAtText = turn.endedCalls;
  turn.isAnswering = true;
  turn.isCompacting = false;
}

export function addAct(turn: Turn): void {
  turn.hasActed = true;
  if (turn.lastText.trim() !== '') turn.earlierText = turn.lastText;
  turn.lastText = '';
  turn.actedSinceTrouble = true;
  turn.cause = undefined;
  turn.isAnswering = false;
  turn.isCompacting = false;
}

export function addTrouble(turn: Turn, trouble: Trouble, failure = classOfFailure(trouble.message)): void {
  const words = ownHead(trouble.message, maxText);
  if (!turn.cause || !saysMore(turn.cause.failure, failure)) turn.cause = { words, failure };
  const { trouble: own, actedSinceTrouble, textSinceTrouble } = turn;
  // The answer repeats what the agent itself reported rather than what it logged.
  const isAside =
    trouble.isOnStderr === true && own?.isOnStderr !== true && !actedSinceTrouble && textSinceTrouble === '';
  turn.trouble = own && isAside ? { ...own, isFinal: trouble.isFinal } : { ...trouble, message: words };
  turn.textSinceTrouble = '';
  turn.actedSinceTrouble = false;
}

/** What the agent is asking the user now. */
export function askedIn({ questions }: Turn): Question | undefined {
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
  if (turn.lastText === '') turn.lastText = ownHead(text, maxAnswer);
}

export function startTool(turn: Turn, id: string, tool: RunningTool): void {
  if (turn.tools.has(id) || turn.tools.size < maxTools) turn.tools.set(id, tool);
}

export function startSubagent(turn: Turn, id: string, title: string, at: number): void {
  if (turn.subagents.size < maxTools) turn.subagents.set(id, { title, since: at });
}
