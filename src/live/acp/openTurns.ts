import type { Words } from '../../text/translator';
import { ResponseError } from 'vscode-jsonrpc/node';
import type { SessionMap } from '../../protocols/acp/session';
import type { JsonObject, RequestId } from '../../text/json';
import { objectOf, textOf } from '../../text/json';
import { rpcError } from '../../work/rpcError';
import { AgentGone } from '../../text/humanError';

interface Waiting {
  readonly resolve: (stopReason: string) => void;
  readonly reject: (error: Error) => void;
}

/** JSON-RPC's "Internal error", for errors without a code. */
const internalError = -32603;

/** Waits for turns of ACP 2, where the answer to a prompt only confirms its insertion and `state_update` ends its turn. */
export class OpenTurns {
  private readonly waiting = new Map<RequestId, Waiting>();
  private lastId = 0;

  constructor(private readonly sessions: Pick<SessionMap, 'of'>) {}

  /**
   * Sends a prompt and waits for its turn to end.
   * @param send sends the prompt; resolves with the answer
   * @returns the stop reason
   * @throws ResponseError if the turn failed
   */
  async run(sessionId: string, send: () => Promise<unknown>): Promise<string> {
    const id = ++this.lastId;
    const { prompts } = this.sessions.of(sessionId);
    prompts.begin({ id, startedAt: 0 }, {});
    const ended = new Promise<string>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    ended.catch(() => undefined); // it may fail before anything awaits it
    try {
      const result = await send();
      const answer = prompts.answer(id, result, true);
      if (answer === undefined || answer === 'repeated') return textOf(objectOf(result)['stopReason']) ?? 'unknown';
      if (answer !== 'running') this.settle(id, answer.ended);
      return await ended;
    } finally {
      prompts.end(id);
      this.waiting.delete(id);
    }
  }

  /** Handles a `session/update`. */
  update(sessionId: string, update: JsonObject): void {
    const { prompts } = this.sessions.of(sessionId);
    switch (update['sessionUpdate']) {
      case 'user_message':
      case 'user_message_chunk':
        prompts.isEcho(textOf(update['messageId']));
        return;
      case 'agent_message':
      case 'agent_message_chunk':
        return prompts.begun(false);
      case 'state_update':
        if (update['state'] === 'running') prompts.begun(true);
        if (update['state'] === 'idle') for (const id of prompts.idle(update)) this.settle(id, update);
        return;
      default:
    }
  }

  fail(words: Words): void {
    for (const { reject } of this.waiting.values()) reject(new AgentGone(words, undefined));
  }

  private settle(id: RequestId, update: JsonObject): void {
    const waiting = this.waiting.get(id);
    const error = rpcError(update['error']);
    const stopReason = textOf(update['stopReason']) ?? 'unknown';
    if (!error) return waiting?.resolve(stopReason);
    waiting?.reject(new ResponseError(error.code ?? internalError, error.message, error.data));
  }
}
