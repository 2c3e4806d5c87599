import { ownHead } from '../../log/ownText';
import { objectOf } from '../../protocols/json';
import { timeOf } from '../../protocols/logFields/timeOf';
import { Interrupts } from '../../protocols/streams/interrupts';
import { BoundedMap } from '../../protocols/boundedMap';
import type { Conversation } from '../conversation';
import type { ObjectFact } from '../../protocols/facts';
import type { Seen, TurnEndFact } from '../seen';
import { contentTextOf } from '../tools';
import type { EndedTurn, Turn } from '../turn';
import {
  addAct,
  addFinalText,
  addText,
  addTrouble,
  endTurn,
  maxPrompt,
  newTurn,
  restartTool,
  startTool,
} from '../turn';
import type { TurnReader } from '../turnReader';
import { OpenQuestions } from './openQuestions';
import type { StreamAct } from './streamActs';
import { questionId, streamActs } from './streamActs';

const maxTitle = 300;
const maxStopReason = 100;

const maxLeft = 20;

/** What may come of a turn before it is told to begin. */
const mayComeBefore: ReadonlySet<StreamAct['type']> = new Set<StreamAct['type']>(['command', 'compacts']);

type StreamEnd = Extract<StreamAct, { type: 'end' }>;

/** Follows the turns of agents' JSON streams: what each of them does now, and how it ended. A stream has one turn at a time. */
export class StreamTurns implements TurnReader {
  private readonly interrupts = new Interrupts();
  private readonly questions = new OpenQuestions();
  /** Those that are held to have been killed, since another session began; several agents may write to one file. */
  private readonly left = new BoundedMap<string, Turn>(maxLeft);

  /** The beginning of what the person wrote for a turn that has not begun. */
  private prompt = '';

  constructor(private readonly conversation: Conversation) {}

  see(seen: Seen): TurnEndFact | undefined {
    if (seen.type !== 'object') return undefined;
    this.seeInterrupt(seen);
    if (seen.dir === 'a2c') return this.seeOutput(seen);
    this.seeInput(seen);
    return undefined;
  }

  private seeInterrupt({ msg, dir }: ObjectFact): void {
    const isEnd = dir === 'a2c' && msg['type'] === 'result';
    this.conversation.wasInterrupted = isEnd && this.interrupts.end(msg);
    if (!isEnd) this.interrupts.see(msg, dir === 'c2a');
    this.conversation.isInterrupted = this.interrupts.isInterrupted;
  }

  /** A message of the person begins a turn, or waits for the end of the one that runs. */
  private seeInput({ msg, event, sessionId }: ObjectFact): void {
    const turn = this.turnOf(sessionId);
    if (msg['type'] === 'user') {
      this.prompt = ownHead(contentTextOf(objectOf(msg['message'])['content']) ?? '', maxPrompt);
      if (!turn) this.begin(sessionId, event.t, { hasBegun: false });
    }
    if (!turn) return;
    turn.lastAt = event.t;
    if (msg['type'] === 'control_response') this.answered(turn, questionId(objectOf(msg['response'])), event.t);
  }

  private seeOutput(seen: ObjectFact): TurnEndFact | undefined {
    const { event, msg, sessionId } = seen;
    let ended: TurnEndFact | undefined;
    for (const act of streamActs(msg)) {
      const turn = act.type === 'begin' ? undefined : this.takenUp(sessionId);
      if (act.type === 'begin') ended = this.seeBeginning(seen, act.isNew) ?? ended;
      else if (act.type === 'end') return this.seeEnd(seen, act, act.isCancelled || this.conversation.wasInterrupted);
      else if (turn) this.note(turn, act, event.t);
    }
    const turn = this.turnOf(sessionId);
    if (turn) turn.lastAt = event.t;
    return ended;
  }

  /** Where a turn before it was not told to have ended, its process was killed: a file may have several runs. */
  private seeBeginning(seen: ObjectFact, isNew: boolean): TurnEndFact | undefined {
    const { sessionId, event } = seen;
    const own = this.turnOf(sessionId);
    if (own && !(isNew && own.hasBegun)) {
      own.hasBegun = true;
      return undefined;
    }
    const open = own ?? this.conversation.turns.values().at(-1);
    if (open) this.conversation.turns.delete(open.sessionId);
    if (open?.hasBegun === false && open.prompt !== '') this.prompt = open.prompt;
    // Codex names its thread so, before its turn.
    if (seen.msg['type'] !== 'thread.started') {
      this.begin(sessionId, event.t, { hasBegun: true, ownStart: timeOf(seen.msg['timestamp']) });
    }
    // The person may have written before the agent named another session.
    if (open?.hasBegun !== true) return undefined;
    if (!own) this.left.set(open.sessionId, open);
    return turnEnd(seen, endTurn(open, open.lastAt, { isUnanswered: true }));
  }

  private seeEnd(seen: ObjectFact, act: StreamEnd, isCancelled: boolean): TurnEndFact | undefined {
    const { stopReason, text } = act;
    const turn = this.turnOf(seen.sessionId);
    this.conversation.hasToldFailure = false;
    if (!turn) return undefined;
    this.conversation.turns.delete(turn.sessionId);
    addFinalText(turn, text);
    const endedAt = seen.event.t;
    const reason = isCancelled ? 'cancelled' : stopReason?.slice(0, maxStopReason);
    const ended = endTurn(turn, endedAt, { stopReason: reason, took: act.took ?? ownTime(turn, seen) });
    if (act.isCommand) return { ...turnEnd(seen, ended), isOfCommand: true };
    if (!isCancelled) return turnEnd(seen, ended);
    return turnEnd(seen, { ...ended, cancel: { at: endedAt, method: 'interrupt' } });
  }

  /** What a turn before it was told of is no reason any more. */
  private begin(
    sessionId: string | undefined,
    t: number,
    by: Pick<Turn, 'hasBegun'> & Partial<Pick<Turn, 'ownStart'>>,
  ): void {
    this.conversation.hasToldFailure = false;
    this.questions.clear();
    if (sessionId === undefined) return;
    this.left.delete(sessionId);
    this.conversation.turns.set(sessionId, { ...newTurn(sessionId, t, this.prompt), ...by });
    this.prompt = '';
  }

  /** The turn of a session that goes on, though another has begun. */
  private takenUp(sessionId: string | undefined): Turn | undefined {
    const open = this.turnOf(sessionId);
    if (open || sessionId === undefined) return open;
    const left = this.left.get(sessionId);
    if (left) this.conversation.turns.set(sessionId, left);
    this.left.delete(sessionId);
    return left;
  }

  private turnOf(sessionId: string | undefined): Turn | undefined {
    return sessionId === undefined ? undefined : this.conversation.turns.get(sessionId);
  }

  private note(turn: Turn, act: Exclude<StreamAct, { type: 'begin' | 'end' }>, t: number): void {
    if (!mayComeBefore.has(act.type)) turn.hasBegun = act.type !== 'reset';
    switch (act.type) {
      case 'text':
        return addText(turn, act.text);
      case 'act':
      case 'command':
        return addAct(turn);
      case 'reset':
        return;
      case 'tool':
        addAct(turn);
        return startTool(turn, act.id, ownHead(act.title, maxTitle), t);
      case 'tool-end':
        addAct(turn);
        turn.tools.delete(act.id);
        this.questions.settleTool(act.id);
        turn.asking = this.questions.asking;
        return;
      case 'retry':
        turn.retries++;
        return addTrouble(turn, { message: act.message, isFinal: false });
      case 'gives-up':
        if (turn.trouble) turn.trouble = { ...turn.trouble, isFinal: true };
        return;
      case 'compacts':
        turn.isCompacting = act.isNow;
        return;
      case 'asks':
        this.questions.ask(act.id, act.question);
        turn.asking = this.questions.asking;
        return;
      case 'taken-back':
        this.questions.settle(act.id);
        turn.asking = this.questions.asking;
        return;
    }
  }

  private answered(turn: Turn, id: string, t: number): void {
    const question = this.questions.settle(id);
    turn.asking = this.questions.asking;
    if (question?.toolId !== undefined) restartTool(turn, question.toolId, t);
  }
}

/** How long it took by the agent's own clock. */
function ownTime({ ownStart }: Turn, { msg }: ObjectFact): number | undefined {
  const ownEnd = timeOf(msg['timestamp']);
  return ownStart === undefined || ownEnd === undefined || ownEnd < ownStart ? undefined : ownEnd - ownStart;
}

function turnEnd({ event }: ObjectFact, turn: EndedTurn): TurnEndFact {
  return { type: 'turn-end', event, turn };
}
