import type { RequestId } from '../../json';
import { isObject, textOf } from '../../json';
import type { JsonObject } from '../../json';
import type { OpenRequest } from '../../jsonrpc/requests';

interface Turn {
  readonly id: RequestId;
  isAcknowledged: boolean;
  /** Something of it has come. */
  hasBegun: boolean;
  /** The session was idle again before the prompt was answered. */
  ended?: JsonObject;
}

/** So many prompts of one session may wait for their end; of more, the oldest are forgotten. */
const maxTurns = 100;

/**
 * The turns of version 2, whose prompt is answered when it is accepted, and which end when the session is idle (ACP v2 "Prompt Lifecycle").
 * A prompt may be sent while another runs: all end together.
 */
export class Turns {
  private readonly turns = new Map<string, Turn[]>();

  /** A request was sent: a turn, where it is a prompt. */
  begin({ id, method, direction, sessionId }: OpenRequest): void {
    if (method !== 'session/prompt' || direction !== 'out' || sessionId === undefined) return;
    const turns = this.turns.get(sessionId) ?? [];
    this.turns.set(sessionId, [...turns, { id, isAcknowledged: false, hasBegun: false }].slice(-maxTurns));
  }

  /** The session runs, or the agent speaks in it. Where a prompt was accepted, that is of this one; what waits behind it has not begun. */
  begun(sessionId: string): void {
    const turns = this.turns.get(sessionId) ?? [];
    if (turns.some(({ isAcknowledged }) => isAcknowledged)) return;
    for (const turn of turns) turn.hasBegun = true;
  }

  isRunning(sessionId: string): boolean {
    return (this.turns.get(sessionId)?.length ?? 0) > 0;
  }

  /**
   * A prompt was answered. `running` when that only said that it was accepted; the state that ended it when that was here before; and
   * `undefined` when the answer is its end, as in version 1.
   */
  answer(
    { id, method, direction, sessionId }: OpenRequest,
    result: unknown,
    isVersion2: boolean,
  ): 'running' | JsonObject | undefined {
    if (method !== 'session/prompt' || direction !== 'out' || sessionId === undefined) return undefined;
    const turn = this.turns.get(sessionId)?.find((known) => known.id === id);
    const isAccepted =
      isObject(result) &&
      result['stopReason'] === undefined &&
      // Earlier drafts of version 2 have an answer without anything in it.
      (textOf(result['messageId']) !== undefined || isVersion2);
    if (!turn || !isAccepted || turn.ended) {
      this.forget(sessionId, id);
      return isAccepted ? turn?.ended : undefined;
    }
    turn.isAcknowledged = true;
    return 'running';
  }

  /** The session is idle: answers the accepted prompts that have ended with it. One that says of no end may have
   * crossed a prompt on its way, where nothing of its turn has come. */
  idle(sessionId: string, update: JsonObject): RequestId[] {
    const turns = this.turns.get(sessionId) ?? [];
    const open = turns.filter(({ isAcknowledged }) => !isAcknowledged);
    const tellsOfEnd = textOf(update['stopReason']) !== undefined || isObject(update['error']);
    for (const turn of open) if (tellsOfEnd || turn.hasBegun) turn.ended = update;
    this.keep(sessionId, open);
    return turns.filter(({ isAcknowledged }) => isAcknowledged).map(({ id }) => id);
  }

  /** The request is over, however that came. */
  end({ id, direction, sessionId }: OpenRequest): void {
    if (direction === 'out' && sessionId !== undefined) this.forget(sessionId, id);
  }

  private forget(sessionId: string, id: RequestId): void {
    this.keep(sessionId, this.turns.get(sessionId)?.filter((turn) => turn.id !== id) ?? []);
  }

  private keep(sessionId: string, turns: Turn[]): void {
    if (turns.length === 0) this.turns.delete(sessionId);
    else this.turns.set(sessionId, turns);
  }
}
