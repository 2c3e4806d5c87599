import { BoundedMap } from '../../../log/boundedMap';
import { oneLine } from '../../../log/text';
import type { JsonObject, RequestId } from '../../../log/json';
import { textOf } from '../../../log/json';
import { ownHead } from '../../../log/ownText';
import type { OpenRequest, RequestProgress } from '../../../work/requests';

/** Maximum number of running tool calls. Beyond it, the oldest aren't shown. */
const maxRunning = 100;
const maxTitle = 200;
const maxSessions = 1000;
const maxPrompts = 100;

interface Turn {
  readonly id: RequestId;
  /** Titles by tool call ID, oldest first. */
  readonly running: Map<string, string>;
  ended: number;
}

/** Tracks what each session's turn is doing: the running tool call is the progress of its oldest prompt. Later prompts wait, or steer the turn. */
export class TurnProgress {
  /** The prompts of each session, oldest first. */
  private readonly turns = new BoundedMap<string, Turn[]>(maxSessions);

  /** Starts tracking if the request is a prompt. */
  begin({ method, direction, sessionId, id }: OpenRequest): void {
    if (method !== 'session/prompt' || direction !== 'out' || sessionId === undefined) return;
    const queue = this.turns.get(sessionId) ?? [];
    this.turns.set(sessionId, [...queue.slice(0, maxPrompts), { id, running: new Map(), ended: 0 }]);
  }

  /** Stops tracking if the request was a prompt. */
  end({ direction, sessionId, id }: OpenRequest): void {
    const queue = direction === 'out' && sessionId !== undefined ? this.turns.get(sessionId) : undefined;
    const index = queue?.findIndex((turn) => turn.id === id) ?? -1;
    if (index >= 0) queue?.splice(index, 1);
  }

  /**
   * Reads a tool call or an update that has its title. Returns the turn's progress if it changed; its message is the title of the running
   * tool call that started last.
   */
  accept(sessionId: string, update: JsonObject): { id: RequestId; progress: RequestProgress } | undefined {
    const turn = this.turns.get(sessionId)?.[0];
    const kind = textOf(update['sessionUpdate']);
    const call = callOf(update);
    if (!turn || call === undefined || (kind !== 'tool_call' && kind !== 'tool_call_update')) return undefined;
    const before = progressOf(turn);
    follow(turn, call, update);
    const after = progressOf(turn);
    if (after.progress === before.progress && after.message === before.message) return undefined;
    return { id: turn.id, progress: after };
  }
}

function callOf(update: JsonObject): string | undefined {
  const id = textOf(update['toolCallId']);
  return id === undefined ? undefined : ownHead(id, maxTitle);
}

function follow(turn: Turn, call: string, update: JsonObject): void {
  const { running } = turn;
  const title = oneLine(textOf(update['title']) ?? running.get(call) ?? call, maxTitle);
  switch (update['status']) {
    case 'completed':
    case 'failed':
    case 'cancelled':
      turn.ended += running.delete(call) || update['sessionUpdate'] === 'tool_call' ? 1 : 0;
      return;
    case 'pending':
    case 'in_progress':
      break;
    default:
      // A new call without a status is pending (ACP "Tool Calls"); an update without one changes something else.
      if (update['sessionUpdate'] !== 'tool_call' && !running.has(call)) return;
  }
  running.set(call, title);
  const [oldest] = running.keys();
  if (running.size > maxRunning && oldest !== undefined) running.delete(oldest);
}

function progressOf({ running, ended }: Turn): RequestProgress {
  let message: string | undefined;
  for (const title of running.values()) message = title;
  return { progress: ended, ...(message !== undefined && { message }) };
}
