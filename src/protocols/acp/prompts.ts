import { ownHead, ownKey } from '../../text/ownText';
import { BoundedMap } from '../../text/boundedMap';
import type { JsonObject, RequestId } from '../../text/json';
import { isObject, objectOf, textOf } from '../../text/json';
import { maxPrompt } from '../../work/activity';
import type { OpenRequest } from '../../work/requests';
import { contentTextOf } from '../../work/tools/contentText';
import { askedIn } from '../agentWriter/askedText';

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

/** The meaning of an answer to `session/prompt` in version 2. `repeated` answers the retry of a prompt that the agent already has. */
export type PromptAnswer = 'running' | 'repeated' | { readonly ended: JsonObject };

const maxPrompts = 100;
const maxKeys = 50;

/**
 * The open prompts of a session: sent, inserted into the conversation, ended. In version 2, the answer only confirms the insertion;
 * a `state_update` with `idle` ends all inserted prompts, but not those still queued.
 */
export class Prompts {
  private readonly open: Prompt[] = [];
  /** As reported by the agent. */
  private isBusy = false;
  /** IDs of messages that were prompts; `undefined` for chunks without an ID. */
  private readonly echoes = new BoundedMap<string | undefined, true>(maxKeys);
  private readonly keys = new BoundedMap<string, true>(maxKeys);

  /**
   * Adds a prompt. Returns whether it repeats an earlier one, by its `idempotencyKey`.
   * @param isWaiting whether a turn is running
   */
  begin({ id, startedAt }: Pick<OpenRequest, 'id' | 'startedAt'>, params: JsonObject, isWaiting = false): boolean {
    const key = ownKey(textOf(params['idempotencyKey']) ?? '', 200);
    const isRetry = this.keys.has(key);
    if (key !== '') this.keys.set(key, true);
    this.open.push({
      id,
      text: ownHead(askedIn(contentTextOf(params['prompt']) ?? ''), maxPrompt),
      sentAt: startedAt,
      isWaiting,
      isRetry,
      isBehindOther: this.isBusy || this.open.length > 0,
      isInserted: false,
      isAnswered: false,
      hasBegun: false,
    });
    if (this.open.length > maxPrompts) this.open.shift();
    return isRetry;
  }

  /** Returns whether a user message is the agent's echo of a prompt, which was already shown. */
  isEcho(messageId: string | undefined): boolean {
    const inserted = this.echoes.has(messageId) ? undefined : this.open.find((one) => !one.isInserted);
    if (inserted) {
      inserted.isInserted = true;
      this.echoes.set(messageId, true);
    }
    return this.echoes.has(messageId);
  }

  /** Records that the session is running, or that the agent has sent output. */
  begun(isBusy: boolean): void {
    if (isBusy) this.isBusy = true;
    this.echoes.delete(undefined);
    const [first] = this.open;
    if (first && !first.isBehindOther) first.hasBegun = true;
  }

  /** The oldest open prompt. */
  get first(): RequestId | undefined {
    return this.open[0]?.id;
  }

  /** Whether the running turn is of a prompt, and not over according to the session's updates. */
  get isRunning(): boolean {
    return this.open.some((one) => !one.ended && !one.isWaiting);
  }

  /** Whether a prompt isn't answered, though its turn is over. */
  get hasEnded(): boolean {
    return this.open.some((one) => one.ended);
  }

  /** Whether the prompt waits for the end of another turn. */
  isWaiting(id: RequestId): boolean {
    return this.promptOf(id)?.isWaiting === true;
  }

  /** Whether the running turn is that of the prompt, and the prompt can be cancelled because it isn't answered. */
  isUnanswered(id: RequestId): boolean {
    const prompt = this.promptOf(id);
    return prompt !== undefined && !prompt.isWaiting && !prompt.isAnswered;
  }

  /** The beginning of the prompt's text. */
  textOf(id: RequestId): string {
    return this.promptOf(id)?.text ?? '';
  }

  /** Takes the oldest prompt that waits: its turn starts. */
  next(): Pick<Prompt, 'text' | 'sentAt'> | undefined {
    const prompt = this.open.find((one) => one.isWaiting && !one.ended);
    if (prompt) prompt.isWaiting = false;
    return prompt;
  }

  /** Returns `undefined` if the answer itself ends the turn, as in version 1. */
  answer(id: RequestId, result: unknown, isVersion2: boolean): PromptAnswer | undefined {
    const prompt = this.promptOf(id);
    const messageId = textOf(objectOf(result)['messageId']);
    // Earlier drafts of version 2 have an empty answer.
    const isAccepted =
      isObject(result) && result['stopReason'] === undefined && (messageId !== undefined || isVersion2);
    if (!prompt || !isAccepted) {
      this.end(id);
      return undefined;
    }
    if (prompt.isRetry && messageId !== undefined && this.echoes.has(messageId)) {
      this.end(id);
      return 'repeated';
    }
    if (messageId !== undefined) this.echoes.set(messageId, true);
    if (prompt.ended) {
      this.end(id);
      return { ended: prompt.ended };
    }
    prompt.isInserted = prompt.isAnswered = true;
    prompt.isWaiting = false;
    return 'running';
  }

  /** Handles an idle session. Returns the answered prompts whose turn ends, oldest first. */
  idle(update: JsonObject): RequestId[] {
    const { open } = this;
    const saysEnd = textOf(update['stopReason']) !== undefined || isObject(update['error']);
    let last = open.findLastIndex((one) => one.isInserted);
    // If the agent doesn't echo prompts, its first one ran, unless it was sent before `idle` arrived.
    const [first] = open;
    if (last < 0 && first && !first.isBehindOther && (saysEnd || first.hasBegun)) last = 0;
    const ended = open.slice(0, last + 1);
    for (const one of ended) one.ended ??= update;
    const left = open.slice(last + 1);
    this.isBusy = false;
    if (left[0]) left[0].isBehindOther = false;
    open.splice(0, open.length, ...ended.filter((one) => !one.isAnswered), ...left);
    return ended.filter((one) => one.isAnswered).map(({ id }) => id);
  }

  /** Removes a prompt, however it ended. */
  end(id: RequestId): void {
    const index = this.open.findIndex((one) => one.id === id);
    if (index >= 0) this.open.splice(index, 1);
  }

  private promptOf(id: RequestId): Prompt | undefined {
    return this.open.find((one) => one.id === id);
  }
}
