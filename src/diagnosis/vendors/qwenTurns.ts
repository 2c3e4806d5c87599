import { textOf } from '../../protocols/json';
import type { Conversation } from '../conversation';
import type { Seen, TurnEndFact } from '../seen';
import { endTurn, newTurn } from '../turn';
import type { TurnReader } from '../turnReader';

/**
 * The turns that Qwen Code begins by itself, for a goal or when a task in the background has ended: it brackets them with
 * `_qwencode/start_turn` (a request or a notification) and `_qwencode/end_turn` with the `reason` (read from its source, not seen on a wire).
 */
export class QwenTurns implements TurnReader {
  private readonly own = new Set<string>();

  constructor(private readonly conversation: Conversation) {}

  see(seen: Seen): TurnEndFact | undefined {
    if ((seen.type !== 'notification' && seen.type !== 'request') || seen.dir !== 'a2c') return undefined;
    const method = seen.type === 'request' ? seen.request.method : seen.method;
    const sessionId = seen.type === 'request' ? seen.request.sessionId : seen.sessionId;
    if (sessionId === undefined) return undefined;
    const turn = this.conversation.turns.get(sessionId);
    if (method === '_qwencode/start_turn' && !turn && this.own.size < maxOwn) {
      this.own.add(sessionId);
      this.conversation.turns.set(sessionId, newTurn(sessionId, seen.event.t, ''));
    }
    if (method !== '_qwencode/end_turn' || !this.own.delete(sessionId) || !turn) return undefined;
    this.conversation.turns.delete(sessionId);
    const stopReason = textOf(seen.params['reason'])?.slice(0, 100);
    // What it has to say it may have said before.
    const ended = endTurn({ ...turn, hasActed: true }, seen.event.t, { stopReason });
    return { type: 'turn-end', event: seen.event, turn: ended };
  }
}

/** More sessions at work by themselves are not followed. */
const maxOwn = 200;
