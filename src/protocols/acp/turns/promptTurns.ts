import { ownHead } from '../../../log/ownText';
import type { WireMessage } from '../../../wire/wireEvent';
import type { TurnCancel, TurnFact, TurnStartedFact, Usage } from '../../../work/activity';
import { cancelOfParent, maxPrompt, turnEnded } from '../../../work/activity';
import { contentTextOf } from '../../../work/toolOutput';
import { costOf, usageOf } from '../../../work/usage';
import { BoundedMap } from '../../../log/boundedMap';
import type { ClosedFact, NotificationFact, RequestFact, ResponseFact } from '../../../work/facts';
import type { JsonObject, RequestId } from '../../../log/json';
import { objectOf, requestIdOf, textOf } from '../../../log/json';
import type { OpenRequest } from '../../../work/requests';
import { requestKey } from '../../../work/requests';
import type { RpcError } from '../../../work/rpcError';
import { rpcError } from '../../../work/rpcError';
import type { PromptQueue } from './promptQueue';
import { closesSession } from '../sessionChanges';
import type { Subagents } from '../subagents/subagents';
import { nameOf } from '../subagents/subagents';

interface WaitingPrompt {
  readonly id: RequestId;
  readonly prompt: string;
  readonly sentAt: number;
}

interface OpenTurn {
  readonly sessionId: string;
  /** Started by the agent, which also reports its end. */
  readonly isOwn: boolean;
  /** Prompts sent while it was running, oldest first. */
  readonly waiting: WaitingPrompt[];
  cancel: TurnCancel | undefined;
  /** Cost of the session before this turn, in US dollars. Unknown if it was resumed. */
  readonly costBefore: number | undefined;
}

const maxTurns = 1200;
const maxPrompts = 1000;
const maxWaiting = 100;
const maxStopReason = 100;

/**
 * Yields the facts of turns. In version 1 the answer to a prompt ends its turn, in version 2 a `state_update`. Agents may also start turns
 * unprompted: Qwen Code brackets those with `_qwencode/start_turn` and `_qwencode/end_turn`. Subagents' turns count as unprompted.
 */
export class PromptTurns {
  private readonly open = new BoundedMap<string, OpenTurn>(maxTurns);
  /** Unanswered prompts, by request. */
  private readonly prompts = new BoundedMap<string, OpenRequest>(maxPrompts);
  /** Total cost of each session so far, in US dollars. */
  private readonly costs = new BoundedMap<string, number>(maxTurns);
  private isVersion2 = false;
  private agent = '';

  /** @param queue must already have read the line of each fact */
  constructor(
    private readonly tell: (fact: TurnFact) => void,
    private readonly queue: PromptQueue,
    private readonly subagents: Subagents,
  ) {}

  requested({ dir, request, params, event }: RequestFact): void {
    const { method, sessionId, direction, id } = request;
    if (dir === 'a2c') return this.bracketed(method, sessionId, params, event);
    if (method === 'session/prompt') this.prompts.set(requestKey(direction, id), request);
    if (sessionId === undefined) return;
    const turn = this.open.get(sessionId);
    if (turn && closesSession(method)) this.tell({ type: 'turn', change: 'closing', event, sessionId });
    if (method !== 'session/prompt') return;
    const prompt = ownHead(contentTextOf(params['prompt']) ?? '', maxPrompt);
    // A prompt sent during a turn is queued, or steers it.
    if (turn) {
      turn.waiting.push({ id, prompt, sentAt: event.t });
      if (turn.waiting.length > maxWaiting) turn.waiting.shift();
    } else this.start(event, sessionId, { prompt });
  }

  closed({ request: { direction, id } }: Pick<ClosedFact, 'request'>): void {
    this.prompts.delete(requestKey(direction, id));
  }

  answered({ dir, request, event, error, sessionId, ...response }: ResponseFact): void {
    if (!request) return;
    this.closed({ request });
    if (dir === 'c2a') return;
    const result = objectOf(response.result);
    if (request.method === 'initialize' && !error) this.initialized(result);
    if (request.method === 'session/new' && sessionId !== undefined) this.costs.set(sessionId, 0);
    if (closesSession(request.method) && !error) this.endBelow(event, request.sessionId);
    const turn = request.method === 'session/prompt' ? this.open.get(request.sessionId ?? '') : undefined;
    if (!turn) return;
    const stopReason = textOf(result['stopReason']);
    // In version 2, the answer only confirms that the prompt was inserted.
    const isAccepted = textOf(result['messageId']) !== undefined || this.isVersion2;
    const isWaiting = turn.waiting.some(({ id }) => id === request.id);
    turn.waiting.splice(0, turn.waiting.length, ...turn.waiting.filter(({ id }) => id !== request.id));
    // Inserted: it starts a new turn if the previous one has ended, or else steers it.
    if (!error && stopReason === undefined && isAccepted) return;
    // Only the queued prompt was refused or cancelled.
    if (isWaiting) return;
    this.end(event, turn, result, error);
  }

  notified({ dir, method, params, sessionId, event }: NotificationFact): void {
    if (dir === 'a2c') return this.bracketed(method, sessionId, params, event);
    if (method === 'session/cancel') this.cancel(event, sessionId, method);
    if (method !== '$/cancel_request') return;
    const id = requestIdOf(params['requestId']);
    const prompt = id === undefined ? undefined : this.prompts.get(requestKey('out', id));
    if (prompt && !this.open.get(prompt.sessionId ?? '')?.cancel) this.cancel(event, prompt.sessionId, method);
  }

  /** Handles a `usage_update`, whose cost is cumulative. */
  used(sessionId: string | undefined, { cost }: JsonObject): void {
    const { amount, currency } = objectOf(cost);
    if (sessionId !== undefined && typeof amount === 'number' && currency === 'USD') this.costs.set(sessionId, amount);
  }

  /** Handles a `state_update`, or the state of a child in its parent's `subagent_update`. */
  stateChanged(event: WireMessage, sessionId: string, update: JsonObject): void {
    const turn = this.open.get(sessionId);
    if (update['state'] === 'running' && !turn) {
      const child = this.subagents.get(sessionId);
      // No request is waiting for this turn's end.
      this.start(event, sessionId, { isUnprompted: true, prompt: child ? nameOf(child).slice(0, maxPrompt) : '' });
    }
    if (update['state'] !== 'idle' || !turn) return;
    // The session was idle before the prompt arrived.
    if (turn.waiting.length === 0 && this.queue.hasOpen(sessionId)) return;
    this.end(event, turn, update, rpcError(update['error']));
  }

  /** Forgets everything when the run ends. */
  clear(): void {
    this.open.clear();
    this.prompts.clear();
  }

  private initialized(result: JsonObject): void {
    this.isVersion2 = result['protocolVersion'] === 2;
    this.agent = textOf(objectOf(result['agentInfo'] ?? result['info'])['name']) ?? '';
  }

  private bracketed(method: string, sessionId: string | undefined, params: JsonObject, event: WireMessage): void {
    if (sessionId === undefined || !method.startsWith('_qwencode/')) return;
    const turn = this.open.get(sessionId);
    if (method === '_qwencode/start_turn' && !turn) this.start(event, sessionId, { isUnprompted: true, isOwn: true });
    if (method !== '_qwencode/end_turn' || !turn?.isOwn) return;
    this.end(event, turn, { stopReason: params['reason'] }, undefined);
  }

  private cancel(event: WireMessage, sessionId: string | undefined, method: string): void {
    const turn = sessionId === undefined ? undefined : this.open.get(sessionId);
    if (turn) turn.cancel = { at: event.t, method, earlier: turn.cancel };
    this.tell({ type: 'turn', change: 'cancelled', event, sessionId, method });
    if (sessionId === undefined || method !== 'session/cancel') return;
    for (const { id } of this.subagents.below(sessionId)) {
      if (this.open.has(id)) {
        this.tell({ type: 'turn', change: 'cancelled', event, sessionId: id, method: cancelOfParent });
      }
    }
  }

  private start(
    event: WireMessage,
    sessionId: string,
    how: Partial<Pick<TurnStartedFact, 'prompt' | 'isUnprompted' | 'cancel'> & Pick<OpenTurn, 'isOwn' | 'waiting'>>,
  ): void {
    const { prompt = '', isUnprompted = false, cancel, isOwn = false, waiting = [] } = how;
    const costBefore = this.costs.get(sessionId);
    this.open.set(sessionId, { sessionId, isOwn, waiting, cancel, costBefore });
    this.tell({ type: 'turn', change: 'started', event, sessionId, startedAt: event.t, prompt, isUnprompted, cancel });
  }

  /** Closing a session ends the turns of its subagents. */
  private endBelow(event: WireMessage, sessionId: string | undefined): void {
    if (sessionId === undefined) return;
    for (const { id } of this.subagents.below(sessionId)) {
      const turn = this.open.get(id);
      if (!turn) continue;
      this.tell({ type: 'turn', change: 'closing', event, sessionId: id });
      this.end(event, turn, { stopReason: 'cancelled' }, undefined);
    }
  }

  /** Ends a turn, and starts that of the next queued prompt. */
  private end(event: WireMessage, turn: OpenTurn, fields: JsonObject, error: RpcError | undefined): void {
    this.open.delete(turn.sessionId);
    const total = this.costs.get(turn.sessionId);
    const cost = total === undefined || turn.costBefore === undefined ? undefined : costOf(total, turn.costBefore);
    const stopReason = textOf(fields['stopReason'])?.slice(0, maxStopReason);
    const usage = usageOf(objectOf(fields['usage']), this.basis, cost);
    this.tell(turnEnded({ event, sessionId: turn.sessionId }, { stopReason, error, usage }));
    const [next, ...waiting] = turn.waiting;
    if (!next) return;
    // A cancel also applies to the prompts that were sent before it.
    const cancel = turn.cancel && turn.cancel.at > next.sentAt ? turn.cancel : undefined;
    this.start(event, turn.sessionId, { prompt: next.prompt, waiting, cancel });
  }

  /** Version 1's schema calls `usage` cumulative, but Claude and Codex report the turn, OpenCode its last model request (seen 2026-11). */
  private get basis(): Usage['basis'] {
    return this.isVersion2 || /\b(?:claude|codex)\b/i.test(this.agent) ? 'turn' : 'unknown';
  }
}
