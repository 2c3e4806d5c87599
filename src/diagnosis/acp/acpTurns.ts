import { ownHead } from '../../log/ownText';
import { closesSession } from '../../protocols/acp/sessionChanges';
import type { JsonObject } from '../../protocols/json';
import { isObject, objectOf, requestIdOf, textOf } from '../../protocols/json';
import type { OpenRequest } from '../../protocols/jsonrpc/requests';
import type { Conversation } from '../conversation';
import { questions } from '../questions';
import { rpcError } from '../../protocols/jsonrpc/rpcError';
import type { NotificationFact, RequestFact, ResponseFact } from '../../protocols/facts';
import type { Seen, TurnEndFact } from '../seen';
import type { RpcError } from '../../protocols/jsonrpc/rpcError';
import { contentTextOf } from '../tools';
import type { TurnReader } from '../turnReader';
import type { Turn, TurnCancel } from '../turn';
import { addAct, addText, endTurn, maxPrompt, newTurn, startTool } from '../turn';

/** What the agent does by way of the client. */
const acts = /^(?:fs|terminal|mcp)\//;
/** States of a tool call that has ended. */
const toolEnds = new Set(['completed', 'failed', 'cancelled']);

/** Follows the turns of ACP: version 1 ends one with the answer to its prompt, version 2 (draft) with `state_update`. */
export class AcpTurns implements TurnReader {
  constructor(private readonly conversation: Conversation) {}

  see(seen: Seen): TurnEndFact | undefined {
    switch (seen.type) {
      case 'request':
        this.seeRequest(seen);
        return undefined;
      case 'response':
        return this.seeResponse(seen);
      case 'notification':
        if (seen.dir === 'a2c') return this.seeUpdate(seen);
        this.seeCancel(seen);
        return undefined;
      default:
        return undefined;
    }
  }

  private seeRequest({ dir, request, params, event }: RequestFact): void {
    const { method, sessionId } = request;
    if (dir === 'a2c') return this.seeClientAsked(request, event.t);
    if (sessionId === undefined) return;
    const turn = this.conversation.turns.get(sessionId);
    if (turn && closesSession(method)) turn.isSessionClosed = true;
    if (method !== 'session/prompt') return;
    const prompt = contentTextOf(params['prompt']) ?? '';
    // Another prompt while a turn runs is queued, or steers it: it is the same turn to a person.
    if (turn) {
      turn.nextPrompt = ownHead(prompt, maxPrompt);
      turn.hasBegun = false;
    } else this.conversation.turns.set(sessionId, newTurn(sessionId, event.t, prompt));
  }

  /** The agent has asked the client for something, or was answered. */
  private seeClientAsked({ method, sessionId }: OpenRequest, t: number): void {
    const turn = this.conversation.turns.get(sessionId ?? '');
    if (!turn) return;
    turn.lastAt = t;
    if (acts.test(method)) addAct(turn);
    if (!questions.has(method)) return;
    addAct(turn);
    const question = this.conversation.firstOpen(
      (open) => open.direction === 'in' && open.sessionId === sessionId && questions.has(open.method),
    );
    turn.asking = question && (question.method === 'session/request_permission' ? 'permission' : 'answer');
  }

  private seeResponse(seen: ResponseFact): TurnEndFact | undefined {
    const { request, event } = seen;
    if (!request) return undefined;
    if (seen.dir === 'c2a') {
      this.seeClientAsked(request, event.t);
      return undefined;
    }
    if (request.method !== 'session/prompt') return undefined;
    const turn = this.conversation.turns.get(request.sessionId ?? '');
    if (!turn) return undefined;
    const result = objectOf(seen.result);
    const stopReason = textOf(result['stopReason']);
    // In version 2 the answer only says that the prompt has arrived.
    const isAccepted = textOf(result['messageId']) !== undefined || this.conversation.isAcpVersion2;
    if (!seen.error && stopReason === undefined && isAccepted) return undefined;
    const next = this.openPrompt(turn.sessionId);
    if (next && !seen.error && !turn.cancel) return undefined;
    const ended = this.end(turn, seen, stopReason, seen.error, tokensOf(result));
    // A prompt that was sent after the cancel is a new turn, though it had to wait for the end of the old one.
    if (next && turn.cancel) this.conversation.turns.set(turn.sessionId, turnAfter(turn, turn.cancel, next, event.t));
    return ended;
  }

  private openPrompt(sessionId: string): OpenRequest | undefined {
    return this.conversation.firstOpen((open) => open.method === 'session/prompt' && open.sessionId === sessionId);
  }

  private end(
    turn: Turn,
    { event }: ResponseFact | NotificationFact,
    stopReason: string | undefined,
    error: RpcError | undefined,
    tokens: number | undefined,
  ): TurnEndFact {
    this.conversation.turns.delete(turn.sessionId);
    const end = { stopReason: stopReason?.slice(0, 100), error, tokens };
    return { type: 'turn-end', event, turn: endTurn(turn, event.t, end) };
  }

  private seeCancel(seen: NotificationFact): void {
    const { method, params, event } = seen;
    if (method === 'session/cancel') {
      const turn = this.conversation.turns.get(seen.sessionId ?? '');
      if (turn) turn.cancel = { at: event.t, method, earlier: turn.cancel };
    }
    if (method === '$/cancel_request') {
      const id = requestIdOf(params['requestId']);
      const request = id === undefined ? undefined : this.conversation.find('out', id);
      const turn =
        request?.method === 'session/prompt' ? this.conversation.turns.get(request.sessionId ?? '') : undefined;
      if (turn) turn.cancel ??= { at: event.t, method };
    }
  }

  private seeUpdate(seen: NotificationFact): TurnEndFact | undefined {
    const turn = this.conversation.turns.get(seen.sessionId ?? '');
    if (turn) turn.lastAt = seen.event.t;
    if (seen.method !== 'session/update') return undefined;
    const update = objectOf(seen.params['update']);
    const kind = textOf(update['sessionUpdate']);
    if (kind === 'state_update') return this.seeState(seen, update);
    if (turn) {
      turn.hasBegun ||= kind === 'agent_message_chunk' || kind === 'agent_message';
      noteUpdate(turn, kind, update, seen.event.t);
    }
    return undefined;
  }

  private seeState(seen: NotificationFact, update: JsonObject): TurnEndFact | undefined {
    const { sessionId } = seen;
    if (sessionId === undefined) return undefined;
    const turn = this.conversation.turns.get(sessionId);
    if (update['state'] === 'running' && !turn) {
      // Nobody asked for it: it owes no answer.
      this.conversation.turns.set(sessionId, { ...newTurn(sessionId, seen.event.t, ''), hasActed: true });
    }
    if (update['state'] === 'running' && turn) turn.hasBegun = true;
    if (update['state'] !== 'idle' || !turn) return undefined;
    const error = rpcError(update['error']);
    const stopReason = textOf(update['stopReason']);
    // The session was idle before the prompt had arrived.
    if (!error && stopReason === undefined && !turn.hasBegun && this.openPrompt(sessionId)) return undefined;
    return this.end(turn, seen, stopReason, error, tokensOf(update));
  }
}

/** The turn of a prompt that waited for another to end that was cancelled; if it was there already then, so is it. */
function turnAfter({ sessionId, nextPrompt }: Turn, cancel: TurnCancel, { startedAt }: OpenRequest, t: number): Turn {
  return {
    ...newTurn(sessionId, startedAt, nextPrompt),
    lastAt: t,
    cancel: cancel.at > startedAt ? cancel : undefined,
  };
}

function noteUpdate(turn: Turn, kind: string | undefined, update: JsonObject, t: number): void {
  switch (kind) {
    case 'agent_message_chunk':
    case 'agent_message':
      addText(turn, contentTextOf(isObject(update['content']) ? [update['content']] : update['content']) ?? '');
      // A picture or a link is an answer too.
      if (objectOf(update['content'])['type'] !== 'text' && !Array.isArray(update['content'])) addAct(turn);
      return;
    case 'tool_call':
    case 'tool_call_update':
      addAct(turn);
      return noteTool(turn, update, t);
    case 'agent_thought_chunk':
    case 'agent_thought':
    case 'plan':
    case 'plan_update':
    case 'compaction_update':
    case 'subagent_update':
    case 'terminal_update':
    case 'terminal_output_chunk':
    case 'current_mode_update':
      return addAct(turn);
    default:
  }
}

function noteTool(turn: Turn, update: JsonObject, t: number): void {
  const id = textOf(update['toolCallId'])?.slice(0, 200);
  if (id === undefined) return;
  const status = textOf(update['status']);
  if (status !== undefined && toolEnds.has(status)) {
    turn.tools.delete(id);
    return;
  }
  const isNew = update['sessionUpdate'] === 'tool_call' || status !== undefined;
  const title = ownHead(textOf(update['title']) ?? turn.tools.get(id)?.title ?? 'a tool', 300);
  if (isNew || turn.tools.has(id)) startTool(turn, id, title, t);
}

/** The tokens that came out, where the answer counts them. */
function tokensOf(result: JsonObject): number | undefined {
  const usage = objectOf(result['usage']);
  const counts = [usage['outputTokens'], usage['output_tokens'], usage['totalTokens']];
  return counts.find((count): count is number => typeof count === 'number');
}
