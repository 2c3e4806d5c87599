import { ownHead } from '../../log/ownText';
import type { WireMessage } from '../../wire/wireEvent';
import type { TurnCancel, TurnFact, TurnStartedFact } from '../activity/activity';
import { maxPrompt, turnEnded } from '../activity/activity';
import { contentTextOf } from '../activity/toolOutput';
import { usageOf } from '../activity/usage';
import { BoundedMap } from '../boundedMap';
import type { ClosedFact, NotificationFact, RequestFact, ResponseFact } from '../facts';
import type { JsonObject } from '../json';
import { objectOf, requestIdOf, textOf } from '../json';
import type { OpenRequest } from '../jsonrpc/requests';
import { requestKey } from '../jsonrpc/requests';
import type { RpcError } from '../jsonrpc/rpcError';
import { rpcError } from '../jsonrpc/rpcError';
import { closesSession } from './sessionChanges';

interface OpenTurn {
  readonly sessionId: string;
  /** The agent has begun it for itself, and says when it ends. */
  readonly isOwn: boolean;
  /** The beginning of the latest prompt that came while it ran. */
  nextPrompt: string;
  /** Whether anything has come of the latest prompt, or may have. */
  hasBegun: boolean;
  cancel: TurnCancel | undefined;
}

const maxTurns = 200;
const maxPrompts = 1000;
const maxStopReason = 100;

/**
 * Follows when turns begin and end in ACP: version 1 ends one with the answer to its prompt, version 2 (draft) with `state_update`, and
 * Qwen Code brackets those that it begins by itself with `_qwencode/start_turn` and `_qwencode/end_turn`.
 */
export class PromptTurns {
  private readonly open = new BoundedMap<string, OpenTurn>(maxTurns);
  /** Prompts without an answer, by their request. */
  private readonly prompts = new BoundedMap<string, OpenRequest>(maxPrompts);
  private isVersion2 = false;

  constructor(private readonly tell: (fact: TurnFact) => void) {}

  isOpen(sessionId: string | undefined): boolean {
    return sessionId !== undefined && this.open.has(sessionId);
  }

  requested({ dir, request, params, event }: RequestFact): void {
    const { method, sessionId, direction, id } = request;
    if (dir === 'a2c') return this.bracketed(method, sessionId, params, event);
    if (method === 'session/prompt') this.prompts.set(requestKey(direction, id), request);
    if (sessionId === undefined) return;
    const turn = this.open.get(sessionId);
    if (turn && closesSession(method)) this.tell({ type: 'turn', change: 'closing', event, sessionId });
    if (method !== 'session/prompt') return;
    const prompt = ownHead(contentTextOf(params['prompt']) ?? '', maxPrompt);
    // Another prompt while a turn runs is queued, or steers it: it is the same turn to a person.
    if (turn) {
      turn.nextPrompt = prompt;
      turn.hasBegun = false;
    } else this.start(event, sessionId, { prompt });
  }

  closed({ request: { direction, id } }: Pick<ClosedFact, 'request'>): void {
    this.prompts.delete(requestKey(direction, id));
  }

  answered({ dir, request, event, error, ...response }: ResponseFact): void {
    if (!request) return;
    this.closed({ request });
    if (dir === 'c2a') return;
    const result = objectOf(response.result);
    if (request.method === 'initialize' && !error) this.isVersion2 = result['protocolVersion'] === 2;
    const turn = request.method === 'session/prompt' ? this.open.get(request.sessionId ?? '') : undefined;
    if (!turn) return;
    const stopReason = textOf(result['stopReason']);
    // In version 2 the answer only says that the prompt has arrived.
    const isAccepted = textOf(result['messageId']) !== undefined || this.isVersion2;
    if (!error && stopReason === undefined && isAccepted) return;
    const next = this.openPrompt(turn.sessionId);
    if (next && !error && !turn.cancel) return;
    this.end(event, turn, result, error);
    if (next && turn.cancel) this.startNext(event, turn, turn.cancel, next);
  }

  notified({ dir, method, params, sessionId, event }: NotificationFact): void {
    if (dir === 'a2c') return this.bracketed(method, sessionId, params, event);
    if (method === 'session/cancel') this.cancel(event, sessionId, method);
    if (method !== '$/cancel_request') return;
    const id = requestIdOf(params['requestId']);
    const prompt = id === undefined ? undefined : this.prompts.get(requestKey('out', id));
    if (prompt && !this.open.get(prompt.sessionId ?? '')?.cancel) this.cancel(event, prompt.sessionId, method);
  }

  /** The agent has said something in the turn. */
  begun(sessionId: string | undefined): void {
    const turn = sessionId === undefined ? undefined : this.open.get(sessionId);
    if (turn) turn.hasBegun = true;
  }

  /** A `state_update`. */
  stateChanged(event: WireMessage, sessionId: string | undefined, update: JsonObject): void {
    if (sessionId === undefined) return;
    const turn = this.open.get(sessionId);
    if (update['state'] === 'running') {
      if (turn) turn.hasBegun = true;
      // Nobody asked for it: it owes no answer.
      else this.start(event, sessionId, { isUnprompted: true });
    }
    if (update['state'] !== 'idle' || !turn) return;
    const error = rpcError(update['error']);
    // The session was idle before the prompt had arrived.
    const isBefore = !error && textOf(update['stopReason']) === undefined && !turn.hasBegun;
    if (!isBefore || !this.openPrompt(sessionId)) this.end(event, turn, update, error);
  }

  /** Nothing can be answered any more. */
  clear(): void {
    this.open.clear();
    this.prompts.clear();
  }

  private bracketed(method: string, sessionId: string | undefined, params: JsonObject, event: WireMessage): void {
    if (sessionId === undefined || !method.startsWith('_qwencode/')) return;
    const turn = this.open.get(sessionId);
    if (method === '_qwencode/start_turn' && !turn) this.start(event, sessionId, { isUnprompted: true, isOwn: true });
    if (method !== '_qwencode/end_turn' || !turn?.isOwn) return;
    this.end(event, turn, { stopReason: params['reason'] }, undefined);
  }

  private openPrompt(sessionId: string): OpenRequest | undefined {
    return this.prompts.find((prompt) => prompt.sessionId === sessionId);
  }

  private cancel(event: WireMessage, sessionId: string | undefined, method: string): void {
    const turn = sessionId === undefined ? undefined : this.open.get(sessionId);
    if (turn) turn.cancel = { at: event.t, method, earlier: turn.cancel };
    this.tell({ type: 'turn', change: 'cancelled', event, sessionId, method });
  }

  private start(
    event: WireMessage,
    sessionId: string,
    how: Partial<Pick<TurnStartedFact, 'startedAt' | 'prompt' | 'isUnprompted' | 'cancel'> & { isOwn: boolean }>,
  ): void {
    const { startedAt = event.t, prompt = '', isUnprompted = false, cancel, isOwn = false } = how;
    this.open.set(sessionId, { sessionId, isOwn, nextPrompt: '', hasBegun: false, cancel });
    this.tell({ type: 'turn', change: 'started', event, sessionId, startedAt, prompt, isUnprompted, cancel });
  }

  /** A prompt that was sent after the cancel is a new turn, though it had to wait for the end of the old one; if it was there before, so is it. */
  private startNext(event: WireMessage, turn: OpenTurn, cancel: TurnCancel, { startedAt }: OpenRequest): void {
    const isCancelled = cancel.at > startedAt;
    this.start(event, turn.sessionId, { startedAt, prompt: turn.nextPrompt, cancel: isCancelled ? cancel : undefined });
  }

  private end(event: WireMessage, turn: OpenTurn, fields: JsonObject, error: RpcError | undefined): void {
    this.open.delete(turn.sessionId);
    const stopReason = textOf(fields['stopReason'])?.slice(0, maxStopReason);
    const usage = usageOf(objectOf(fields['usage']), 'turn');
    this.tell(turnEnded({ event, sessionId: turn.sessionId }, { stopReason, error, usage }));
  }
}
