import type { JsonObject } from '../../text/json';
import { isObject, numberOf, objectOf, textOf } from '../../text/json';
import { oneLine } from '../../text/text';
import type { TurnStartedFact, Usage } from '../../work/activity';
import { cancelOfParent, maxPrompt, turnEnded } from '../../work/activity';
import type { OpenRequest, Requests } from '../../work/requests';
import type { RpcError } from '../../work/rpcError';
import { rpcError } from '../../work/rpcError';
import type { UsageConvention } from '../../work/usage/usage';
import { costOf, usageOf, usageWithWindow } from '../../work/usage/usage';
import type { Work } from '../../work/work';
import type { Answer } from '../jsonrpc/jsonRpcInterpreter';
import type { Background } from './background';
import type { PromptAnswer } from './prompts';
import type { AcpSessions } from './session';
import { closesSession } from './sessionChanges';
import { answerModelOf } from './sessionModes';
import { describeEnd, describeState } from './words';
import type { Subagents } from './subagents';
import { headOf } from './toolCalls';
import { childChanged, nameOf } from './subagents';
import type { AcpExtensions } from './extension';
import type { AcpWriter } from './writer';

/** What the reader of a session's turns is part of. */
interface TurnContext {
  readonly out: AcpWriter;
  readonly extensions: AcpExtensions;
  readonly sessions: AcpSessions;
  /** Knows the running turns. */
  readonly work: Work;
  readonly requests: Requests;
  readonly subagents: Subagents;
  readonly background: Background;
  readonly closed: (request: OpenRequest) => void;
}

/** What an answer means for its prompt. In version 1, it ends the turn. */
export type TurnAnswer = PromptAnswer | 'ends-turn';

const maxStopReason = 100;
const maxProgress = 200;
const maxModel = 300;
/** The schema calls the total the sum of all types of tokens. Most agents keep to that; for others, the total that they send tells. */
const convention: UsageConvention = { inputExcludesCache: true, outputExcludesReasoning: true };
const startedByItself = { level: 'info', logger: 'turn', message: 'started without a prompt' } as const;

/**
 * Reads turns. In version 1 the answer to a prompt ends its turn, in version 2 a `state_update`. Agents may also start turns unprompted. Subagents' turns count as unprompted.
 */
export class Turns {
  private agent = '';
  /** Whether the agent speaks version 2. */
  isVersion2 = false;

  constructor(private readonly context: TurnContext) {}

  /** The client sends a request. Returns whether it is a prompt that is sent again. */
  requested(request: OpenRequest, params: JsonObject): boolean {
    const { out, work, sessions } = this.context;
    const { id, method, sessionId } = request;
    const turn = work.turnOf(sessionId);
    if (turn && closesSession(method)) out.fact(sessionId, { type: 'turn', change: 'closing' });
    if (method !== 'session/prompt' || sessionId === undefined) return false;
    const { prompts } = sessions.of(sessionId);
    const isRetry = prompts.begin(request, params, turn !== undefined);
    if (!turn) this.start(sessionId, { prompt: prompts.textOf(id) });
    return isRetry;
  }

  /** The agent answers a request. Returns what that means for its prompt. */
  answered(request: OpenRequest, { result, error }: Answer): TurnAnswer | undefined {
    const { id, method, sessionId } = request;
    if (method === 'initialize' && !error) this.initialized(objectOf(result));
    if (sessionId === undefined || method !== 'session/prompt') return undefined;
    // Otherwise only the queued prompt is refused or cancelled.
    const { prompts } = this.context.sessions.of(sessionId);
    const isOfTurn = !prompts.isWaiting(id);
    return prompts.answer(id, result, this.isVersion2) ?? (isOfTurn ? 'ends-turn' : undefined);
  }

  /** Ends the turns that an answer ends. */
  settled({ method, sessionId }: OpenRequest, { result, error }: Answer, answer: TurnAnswer | undefined): void {
    if (sessionId === undefined) return;
    if (closesSession(method) && !error) this.endBelow(sessionId);
    if (answer === 'ends-turn') this.end(sessionId, objectOf(result), error);
  }

  /** A session without an earlier turn was created. */
  created(sessionId: string): void {
    this.context.sessions.of(sessionId).lasting.cost = { total: 0, before: undefined };
  }

  /** A request, or a notification, by which an agent reports a turn of its own. */
  bracketed(method: string, sessionId: string | undefined, params: JsonObject): void {
    const own =
      sessionId === undefined
        ? undefined
        : this.context.extensions.first((extension) => extension.turnOf?.(method, params));
    if (sessionId === undefined || !own) return;
    const turn = this.context.work.turnOf(sessionId);
    if (own.type === 'started' && !turn) this.start(sessionId, { isUnprompted: true });
    if (own.type === 'ended' && turn?.isUnprompted === true) {
      this.end(sessionId, { stopReason: own.stopReason }, undefined);
    }
  }

  /** The client cancels the turn of a session, and with it those of its subagents. */
  cancelled(sessionId: string | undefined): void {
    const { out, work, subagents } = this.context;
    out.fact(sessionId, { type: 'turn', change: 'cancelled', method: 'session/cancel' });
    for (const { id } of subagents.below(sessionId)) {
      if (work.turnOf(id)) out.fact(id, { type: 'turn', change: 'cancelled', method: cancelOfParent });
    }
  }

  /** The client cancels a request, which may be the prompt of the running turn. */
  requestCancelled({ id, sessionId }: OpenRequest, method: string): void {
    const { out, work, sessions } = this.context;
    if (sessionId === undefined || work.turnOf(sessionId)?.cancel) return;
    if (sessions.of(sessionId).prompts.isUnanswered(id)) {
      out.fact(sessionId, { type: 'turn', change: 'cancelled', method });
    }
  }

  /** Handles a `usage_update`, whose cost is cumulative. */
  used(sessionId: string, { cost, used, size }: JsonObject): void {
    const { amount, currency } = objectOf(cost);
    const contextTokens = numberOf(used);
    const usage = contextTokens === undefined ? undefined : ({ contextTokens, basis: 'unknown' } as const);
    const context = usageWithWindow(usage, size);
    if (context) this.context.out.fact(sessionId, { type: 'usage', id: undefined, usage: context });
    if (this.context.out.isReplay || typeof amount !== 'number' || currency !== 'USD') return;
    const { lasting } = this.context.sessions.of(sessionId);
    lasting.cost = { total: amount, before: lasting.cost?.before };
  }

  /** Handles a `state_update`, or the state of a child in its parent's `subagent_update`. */
  stateChanged(sessionId: string, update: JsonObject): void {
    const { out, subagents, background } = this.context;
    const isNews = subagents.changeState(sessionId, update);
    if (out.isReplay) return out.record(sessionId, describeState(update));
    const { text, facts } = background.read(sessionId, update);
    if (text) out.record(sessionId, text);
    const child = subagents.get(sessionId);
    if (child) childChanged(out, child, update);
    if (update['state'] === 'running') this.began(sessionId, update);
    else if (update['state'] !== 'idle' || !this.idle(sessionId, update)) {
      const state = describeState(update);
      out.record(sessionId, isNews ? state : { ...state, level: 'debug' });
    }
    if (update['state'] === 'requires_action') out.fact(sessionId, { type: 'waiting' });
    for (const fact of facts) out.fact(sessionId, fact);
  }

  /** Reports the tool call that started last as progress of the oldest prompt; later prompts wait, or steer the turn. */
  progressed(sessionId: string | undefined): void {
    const { work, requests, sessions } = this.context;
    const turn = work.turnOf(sessionId);
    const id = turn && sessions.of(turn.sessionId).prompts.first;
    const before = id === undefined ? undefined : requests.get('out', id);
    if (!turn || !before) return;
    const title = [...turn.tools.values()].at(-1)?.title;
    const message = title && oneLine(title, maxProgress);
    const { progress, message: told } = before.progress ?? { progress: 0 };
    if (progress === turn.endedCalls && told === message) return;
    const now = { progress: turn.endedCalls, ...(message !== undefined && { message }) };
    requests.report('out', before.id, now);
  }

  /** The session works, possibly without a prompt. */
  private began(sessionId: string, update: JsonObject): void {
    const { out, work, subagents, sessions } = this.context;
    sessions.of(sessionId).prompts.begun(true);
    const child = subagents.get(sessionId);
    const isUnprompted = !work.turnOf(sessionId);
    if (isUnprompted) this.start(sessionId, { isUnprompted, prompt: child ? nameOf(child).slice(0, maxPrompt) : '' });
    out.record(sessionId, isUnprompted && !child ? startedByItself : describeState(update));
  }

  /** The session no longer works, which ends its turn, unless that is of a later prompt. Returns whether there is a record of it. */
  private idle(sessionId: string, update: JsonObject): boolean {
    const { out, work, requests, closed, sessions } = this.context;
    const { t } = out.event;
    const { prompts } = sessions.of(sessionId);
    const ended = prompts.idle(update);
    for (const id of ended) {
      const request = requests.end('out', id, 'answered', t);
      if (!request) continue;
      closed(request);
      out.record(sessionId, describeEnd(update, t - request.startedAt));
    }
    const turn = work.turnOf(sessionId);
    if (!turn || prompts.isRunning) return ended.length > 0;
    this.end(sessionId, update, rpcError(update['error']));
    if (ended.length > 0) return true;
    // The record follows with the answer to the prompt.
    if (prompts.hasEnded) return false;
    out.record(sessionId, describeEnd(update, t - turn.startedAt));
    return true;
  }

  private initialized(result: JsonObject): void {
    this.isVersion2 = result['protocolVersion'] === 2;
    this.agent = textOf(objectOf(result['agentInfo'] ?? result['info'])['name']) ?? '';
  }

  private start(
    sessionId: string,
    { prompt = '', isUnprompted = false, cancel }: Partial<Pick<TurnStartedFact, 'prompt' | 'isUnprompted' | 'cancel'>>,
  ): void {
    const { out, sessions } = this.context;
    const { lasting } = sessions.of(sessionId);
    if (lasting.cost) lasting.cost = { total: lasting.cost.total, before: lasting.cost.total };
    out.fact(sessionId, { type: 'turn', change: 'started', startedAt: out.event.t, prompt, isUnprompted, cancel });
  }

  /** Ends the running turn, and starts that of the next queued prompt. */
  private end(sessionId: string, fields: JsonObject, error: RpcError | undefined): void {
    const { out, work, sessions } = this.context;
    const turn = work.turnOf(sessionId);
    if (!turn) return;
    const { lasting, prompts } = sessions.of(sessionId);
    const { total = 0, before } = lasting.cost ?? {};
    const cost = before === undefined ? undefined : costOf(total, before);
    const stopReason = textOf(fields['stopReason'])?.slice(0, maxStopReason);
    const usage = this.usageOf(fields, cost);
    const model = headOf(answerModelOf(objectOf(fields['_meta'])), maxModel);
    if (model !== undefined) out.fact(sessionId, { type: 'model', to: model, isAnswer: true, isFallback: false });
    out.fact(sessionId, turnEnded({ event: out.event, sessionId }, { stopReason, error, usage }));
    const next = prompts.next();
    if (!next) return;
    // A cancel also applies to the prompts that were sent before it.
    const cancel = turn.cancel && turn.cancel.at > next.sentAt ? turn.cancel : undefined;
    this.start(sessionId, { prompt: next.text, cancel });
  }

  private usageOf(fields: JsonObject, cost: number | undefined): Usage | undefined {
    const meta = objectOf(fields['_meta']);
    const own = isObject(fields['usage'])
      ? undefined
      : this.context.extensions.first((extension) => extension.usageOf?.(meta));
    return usageOf(own ?? objectOf(fields['usage']), own ? 'turn' : this.basis, { convention, cost });
  }

  /** Closing a session ends its subagents. */
  private endBelow(sessionId: string): void {
    const { out, work, subagents } = this.context;
    const children = subagents.below(sessionId);
    for (const { id } of children) {
      if (!work.turnOf(id)) continue;
      out.fact(id, { type: 'turn', change: 'closing' });
      this.end(id, { stopReason: 'cancelled' }, undefined);
    }
    for (const child of children) childChanged(out, child, { state: 'idle', stopReason: 'cancelled' });
  }

  /** Version 1's schema calls `usage` cumulative, but some report the turn, OpenCode its last model request (seen 2026-11). */
  private get basis(): Usage['basis'] {
    return this.isVersion2 || this.context.extensions.some(({ countsTurns }) => countsTurns?.test(this.agent))
      ? 'turn'
      : 'unknown';
  }
}
