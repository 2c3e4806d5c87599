import { ownHead } from '../../log/ownText';
import { duration } from '../../log/text';
import type { Asking, TurnCancel } from '../../protocols/activity/activity';
import { maxPrompt } from '../../protocols/activity/activity';
import { BoundedMap } from '../../protocols/boundedMap';
import type { WireMessage, WireProcessEvent } from '../../wire/wireEvent';
import type { RpcError } from '../../protocols/jsonrpc/rpcError';

/** What a turn's agent said has gone wrong, while the turn went on. */
export interface Trouble {
  readonly message: string;
  /** The agent's own last word on it: it will not try again. */
  readonly isFinal: boolean;
  /** Only standard error says so. */
  readonly isOnStderr?: boolean;
  /** The agent says that the whole turn failed. */
  readonly isEnd?: boolean;
}

/** A tool call that has begun and not yet ended. */
interface RunningTool {
  readonly title: string;
  readonly since: number;
  /** A subagent whose session the agent doesn't announce. */
  readonly isSubagent?: boolean;
}

/** A turn that runs: what was asked, and what came of it. */
export interface Turn {
  readonly sessionId: string;
  readonly startedAt: number;
  /** Whether it came while somebody followed: of what was in a file before, nobody knows when it came. */
  isFollowed: boolean;
  /** The beginning of what was asked. */
  readonly prompt: string;
  /** The beginning of what the agent said to the person. */
  text: string;
  /** The same, since the trouble. */
  textSinceTrouble: string;
  /** The same, since it last thought, planned or did something. */
  lastText: string;
  /** Whether it thought, planned or did something. */
  hasActed: boolean;
  actedSinceTrouble: boolean;
  trouble: Trouble | undefined;
  retries: number;
  /** How many retries there will be at most, if the agent says so. */
  maxRetries: number | undefined;
  cancel: TurnCancel | undefined;
  /** Whether the client has closed its session. */
  isSessionClosed: boolean;
  /** What the person is asked for now. */
  asking: Asking | undefined;
  /** What the person is asked for and has not settled, oldest first. */
  readonly questions: BoundedMap<string, Asking>;
  readonly tools: Map<string, RunningTool>;
  /** Subagents that work for it, by their session or task. */
  readonly subagents: Map<string, RunningTool>;
  /** When the agent last sent something for it, or was answered. */
  lastAt: number;
  isAnswering: boolean;
  /** Whether its conversation is being made shorter, which lasts. */
  isCompacting: boolean;
}

export interface EndedTurn extends Turn {
  readonly endedAt: number;
  /** In milliseconds, where it is known. */
  readonly took: number | undefined;
  readonly stopReason: string | undefined;
  readonly error: RpcError | undefined;
  /** The tokens that it took, as far as its answer says. */
  readonly tokens: number | undefined;
  /** Its answer never came: the agent ended. */
  readonly isUnanswered: boolean;
}

/** A turn is over, whatever ended it. */
export interface TurnEnd {
  readonly event: WireMessage | WireProcessEvent;
  readonly turn: EndedTurn;
  /** The agent ran a command of its own, such as `/compact`, and not its model. */
  readonly isOfCommand?: true;
}

/** So much of a text is kept, in characters. */
const maxText = 2000;
/** More tools at a time are not followed. */
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
    hasActed: false,
    actedSinceTrouble: false,
    trouble: undefined,
    retries: 0,
    maxRetries: undefined,
    cancel: undefined,
    isSessionClosed: false,
    asking: undefined,
    questions: new BoundedMap(maxQuestions),
    tools: new Map(),
    subagents: new Map(),
    lastAt: startedAt,
    isAnswering: false,
    isCompacting: false,
  };
}

/** A turn that is over, with all that is known of its end. */
export function endTurn(turn: Turn, endedAt: number, end: Partial<Omit<EndedTurn, keyof Turn | 'endedAt'>>): EndedTurn {
  // A clock that was set back tells nothing, and neither do lines that were read at once.
  const took = turn.isFollowed && endedAt > turn.startedAt ? endedAt - turn.startedAt : end.took;
  return {
    ...turn,
    stopReason: undefined,
    error: undefined,
    tokens: undefined,
    isUnanswered: false,
    ...end,
    endedAt,
    took,
  };
}

/** ` after 12 s`, or nothing where that is not known. */
export function afterTime({ took }: EndedTurn): string {
  return took === undefined ? '' : ` after ${duration(took)}`;
}

export function addText(turn: Turn, text: string): void {
  if (turn.text.length < maxText) turn.text += ownHead(text, maxText);
  if (turn.trouble && turn.textSinceTrouble.length < maxText) turn.textSinceTrouble += ownHead(text, maxText);
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

/** Whether it tries again what went wrong, and nothing has come of that yet. */
export function isRetrying(turn: Turn): boolean {
  return turn.trouble?.isFinal === false && !turn.actedSinceTrouble && turn.textSinceTrouble === '';
}

/** What its answer says once more in the end was said after all that went wrong, which was got over then. */
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

/** It may run only now: until then it had waited for a person. */
export function restartTool(turn: Turn, id: string, at: number): void {
  const known = turn.tools.get(id);
  if (known) turn.tools.set(id, { ...known, since: at });
}
