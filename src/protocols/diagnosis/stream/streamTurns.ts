import { ownHead } from '../../../log/ownText';
import { Interrupts } from '../../streamJson/interrupts';
import type { Conversation } from '../conversation';
import type { Seen, SeenObject, SeenTurnEnd } from '../seen';
import type { Turn } from '../turn';
import { addAct, addText, addTrouble, newTurn, startTool } from '../turn';
import type { TurnReader } from '../turnReader';
import type { StreamAct } from './streamActs';
import { streamActs } from './streamActs';

const maxId = 200;
const maxTitle = 300;
const maxStopReason = 100;

/** Follows the turns of agents' JSON streams: what each of them does now, and how it ended. */
export class StreamTurns implements TurnReader {
  private readonly interrupts = new Interrupts();

  constructor(private readonly conversation: Conversation) {}

  see(seen: Seen): SeenTurnEnd | undefined {
    if (seen.type !== 'object') return undefined;
    const wasInterrupted = this.interrupted(seen);
    const { sessionId } = seen;
    if (sessionId === undefined) return undefined;
    if (seen.dir === 'a2c') return this.seeOutput(seen, sessionId, wasInterrupted);
    this.seeInput(seen, sessionId);
    return undefined;
  }

  private interrupted({ msg, dir }: SeenObject): boolean {
    if (msg['type'] === 'result') return this.interrupts.end(msg);
    this.interrupts.see(msg, dir === 'c2a');
    return false;
  }

  /** A message of the person begins a turn, or waits for the end of the one that runs. */
  private seeInput({ msg, event }: SeenObject, sessionId: string): void {
    const turn = this.conversation.turns.get(sessionId);
    if (msg['type'] === 'control_response' && turn) turn.isAsking = false;
    if (msg['type'] === 'user' && !turn) this.conversation.turns.set(sessionId, newTurn(sessionId, event.t, ''));
    if (turn) turn.lastAt = event.t;
  }

  private seeOutput(seen: SeenObject, sessionId: string, wasInterrupted: boolean): SeenTurnEnd | undefined {
    const { event, msg } = seen;
    for (const act of streamActs(msg)) {
      const turn = this.conversation.turns.get(sessionId);
      if (turn && act.type === 'end') return this.end(turn, seen, act.stopReason, act.isCancelled || wasInterrupted);
      if (turn) note(turn, act, event.t);
      else if (act.type === 'begin') this.conversation.turns.set(sessionId, newTurn(sessionId, event.t, ''));
    }
    const turn = this.conversation.turns.get(sessionId);
    if (turn) turn.lastAt = event.t;
    return undefined;
  }

  private end(turn: Turn, { event }: SeenObject, stopReason: string | undefined, isCancelled: boolean): SeenTurnEnd {
    this.conversation.turns.delete(turn.sessionId);
    const reason = isCancelled ? 'cancelled' : stopReason?.slice(0, maxStopReason);
    return {
      type: 'turn-end',
      event,
      turn: { ...turn, endedAt: event.t, stopReason: reason, error: undefined, tokens: undefined, isUnanswered: false },
    };
  }
}

function note(turn: Turn, act: StreamAct, t: number): void {
  switch (act.type) {
    case 'text':
      return addText(turn, act.text);
    case 'act':
      return addAct(turn);
    case 'tool':
      addAct(turn);
      return startTool(turn, ownHead(act.id, maxId), ownHead(act.title, maxTitle), t);
    case 'tool-end':
      addAct(turn);
      turn.tools.delete(act.id.slice(0, maxId));
      return;
    case 'retry':
      turn.retries++;
      return addTrouble(turn, { message: act.message, isFinal: false });
    case 'asks':
      turn.isAsking = true;
      return;
    case 'answered':
      turn.isAsking = false;
      return;
    case 'begin':
    case 'end':
  }
}
