import { ownHead } from '../../text/ownText';
import { BoundedMap } from '../../text/boundedMap';
import type { JsonObject, RequestId } from '../../text/json';
import { isObject, objectOf, textOf } from '../../text/json';
import { maxPrompt } from '../../work/activity';
import type { OpenRequest } from '../../work/requests';
import { contentTextOf } from '../../work/tools/toolOutput';

interface Prompt {
  readonly id: RequestId;
  /** The beginning of its text. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  /** Sent during a turn, which it may steer. Starts a turn of its own if that one ends before it is answered. */
  isWaiting: boolean;
  /** Sent again with the same key, after a lost answer. */
  readonly isRetry: boolean;
  /** Sent while the agent was busy, so the next `idle` may end other work. */
  isBehindOther: boolean;
  /** The agent has echoed or answered it. */
  isInserted: boolean;
  isAnswered: boolean;
  hasBegun: boolean;
  /** The update that ended its turn before it was answered. */
  ended?: JsonObject;
}

interface Queue {
  readonly prompts: Prompt[];
  /** As reported by the agent. */
  isBusy: boolean;
  /** IDs of messages that were prompts; `undefined` for chunks without an ID. */
  readonly echoes: BoundedMap<string | undefined, true>;
  readonly keys: BoundedMap<string, true>;
}

/** The meaning of an answer to `session/prompt` in version 2. `repeated` answers the retry of a prompt that the agent already has. */
export type PromptAnswer = 'running' | 'repeated' | { readonly ended: JsonObject };

const maxSessions = 1000;
const maxPrompts = 100;
const maxKeys = 50;

/**
 * Tracks the prompts of each session: sent, inserted into the conversation, ended. In version 2, the answer only confirms the insertion;
 * a `state_update` with `idle` ends all inserted prompts, but not those still queued.
 */
export class PromptQueue {
  private readonly queues = new BoundedMap<string, Queue>(maxSessions);

  /**
   * Adds a prompt. Returns whether it repeats an earlier one, by its `idempotencyKey`.
   * @param isWaiting whether a turn is running
   */
  begin({ id, method, direction, sessionId, startedAt }: OpenRequest, params: unknown, isWaiting = false): boolean {
    if (method !== 'session/prompt' || direction !== 'out' || sessionId === undefined) return false;
    const queue = this.queueOf(sessionId);
    const text = ownHead(contentTextOf(objectOf(params)['prompt']) ?? '', maxPrompt);
    const key = textOf(objectOf(params)['idempotencyKey'])?.slice(0, 200);
    const isRetry = key !== undefined && queue.keys.has(key);
    if (key !== undefined) queue.keys.set(ownHead(key, 200), true);
    const isBehindOther = queue.isBusy || queue.prompts.length > 0;
    queue.prompts.push({
      id,
      text,
      sentAt: startedAt,
      isWaiting,
      isRetry,
      isBehindOther,
      isInserted: false,
      isAnswered: false,
      hasBegun: false,
    });
    if (queue.prompts.length > maxPrompts) queue.prompts.shift();
    return isRetry;
  }

  /** Returns whether a user message is the agent's echo of a prompt, which was already shown. */
  isEcho(sessionId: string, messageId: string | undefined): boolean {
    const queue = this.queues.get(sessionId);
    if (!queue) return false;
    const inserted = queue.echoes.has(messageId) ? undefined : queue.prompts.find((one) => !one.isInserted);
    if (inserted) {
      inserted.isInserted = true;
      queue.echoes.set(messageId, true);
    }
    return queue.echoes.has(messageId);
  }

  /** Records that the session is running, or that the agent has sent output. */
  begun(sessionId: string, isBusy: boolean): void {
    const queue = isBusy ? this.queueOf(sessionId) : this.queues.get(sessionId);
    if (!queue) return;
    if (isBusy) queue.isBusy = true;
    queue.echoes.delete(undefined);
    const [first] = queue.prompts;
    if (first && !first.isBehindOther) first.hasBegun = true;
  }

  /** The oldest open prompt of a session. */
  first(sessionId: string): RequestId | undefined {
    return this.queues.get(sessionId)?.prompts[0]?.id;
  }

  /** Whether the running turn is of a prompt, and not over according to the session's updates. */
  isRunning(sessionId: string): boolean {
    return this.queues.get(sessionId)?.prompts.some((one) => !one.ended && !one.isWaiting) ?? false;
  }

  /** Whether a prompt isn't answered, though its turn is over. */
  hasEnded(sessionId: string): boolean {
    return this.queues.get(sessionId)?.prompts.some((one) => one.ended) ?? false;
  }

  /** Whether the prompt waits for the end of another turn. */
  isWaiting(request: OpenRequest): boolean {
    return this.promptOf(request)?.isWaiting === true;
  }

  /** Whether the running turn is that of the prompt, and the prompt can be cancelled because it isn't answered. */
  isUnanswered(request: OpenRequest): boolean {
    const prompt = this.promptOf(request);
    return prompt !== undefined && !prompt.isWaiting && !prompt.isAnswered;
  }

  /** The beginning of the prompt's text. */
  textOf(request: OpenRequest): string {
    return this.promptOf(request)?.text ?? '';
  }

  /** Takes the oldest prompt that waits: its turn starts. */
  next(sessionId: string): Pick<Prompt, 'text' | 'sentAt'> | undefined {
    const prompt = this.queues.get(sessionId)?.prompts.find((one) => one.isWaiting && !one.ended);
    if (prompt) prompt.isWaiting = false;
    return prompt;
  }

  /** Returns `undefined` if the answer itself ends the turn, as in version 1. */
  answer(request: OpenRequest, result: unknown, isVersion2: boolean): PromptAnswer | undefined {
    const { id, method, direction, sessionId } = request;
    if (method !== 'session/prompt' || direction !== 'out' || sessionId === undefined) return undefined;
    const queue = this.queueOf(sessionId);
    const prompt = queue.prompts.find((one) => one.id === id);
    const messageId = textOf(objectOf(result)['messageId']);
    // Earlier drafts of version 2 have an empty answer.
    const isAccepted =
      isObject(result) && result['stopReason'] === undefined && (messageId !== undefined || isVersion2);
    if (!prompt || !isAccepted) {
      this.end(request);
      return undefined;
    }
    if (prompt.isRetry && messageId !== undefined && queue.echoes.has(messageId)) {
      this.end(request);
      return 'repeated';
    }
    if (messageId !== undefined) queue.echoes.set(messageId, true);
    if (prompt.ended) {
      this.end(request);
      return { ended: prompt.ended };
    }
    prompt.isInserted = prompt.isAnswered = true;
    prompt.isWaiting = false;
    return 'running';
  }

  /** Handles an idle session. Returns the answered prompts whose turn ends, oldest first. */
  idle(sessionId: string, update: JsonObject): RequestId[] {
    const queue = this.queues.get(sessionId);
    if (!queue) return [];
    const { prompts } = queue;
    const saysEnd = textOf(update['stopReason']) !== undefined || isObject(update['error']);
    let last = prompts.findLastIndex((one) => one.isInserted);
    // If the agent doesn't echo prompts, its first one ran, unless it was sent before `idle` arrived.
    const [first] = prompts;
    if (last < 0 && first && !first.isBehindOther && (saysEnd || first.hasBegun)) last = 0;
    const ended = prompts.slice(0, last + 1);
    for (const one of ended) one.ended ??= update;
    const left = prompts.slice(last + 1);
    queue.isBusy = false;
    if (left[0]) left[0].isBehindOther = false;
    queue.prompts.splice(0, prompts.length, ...ended.filter((one) => !one.isAnswered), ...left);
    return ended.filter((one) => one.isAnswered).map(({ id }) => id);
  }

  /** Removes a request, however it ended. */
  end({ id, direction, sessionId }: OpenRequest): void {
    const queue = direction === 'out' && sessionId !== undefined ? this.queues.get(sessionId) : undefined;
    const index = queue?.prompts.findIndex((one) => one.id === id) ?? -1;
    if (index >= 0) queue?.prompts.splice(index, 1);
  }

  /** Forgets the prompts and sessions of a process that ended. */
  clear(): void {
    this.queues.clear();
  }

  private promptOf({ id, direction, sessionId = '' }: OpenRequest): Prompt | undefined {
    return direction === 'out' ? this.queues.get(sessionId)?.prompts.find((one) => one.id === id) : undefined;
  }

  private queueOf(sessionId: string): Queue {
    return this.queues.ensure(sessionId, () => ({
      prompts: [],
      isBusy: false,
      echoes: new BoundedMap<string | undefined, true>(maxKeys),
      keys: new BoundedMap<string, true>(maxKeys),
    }));
  }
}
