import { ownHead } from '../../text/ownText';
import type { JsonObject } from '../../text/json';
import { isObject, numberOf, objectOf, textOf } from '../../text/json';
import { oneLine } from '../../text/text';
import type { TurnStartedFact, Usage } from '../../work/activity';
import { cancelOfParent, maxPrompt, turnEnded } from '../../work/activity';
import type { OpenRequest } from '../../work/requests';
import type { RpcError } from '../../work/rpcError';
import { rpcError } from '../../work/rpcError';
import type { UsageConvention } from '../../work/usage/usage';
import { costOf, usageOf, usageWithWindow } from '../../work/usage/usage';
import type { Answer } from '../jsonrpc/jsonRpcInterpreter';
import { backgroundListed } from './background';
import type { PromptAnswer } from './prompts';
import type { AcpSession } from './session';
import { closesSession, nameOf } from './session';
import { answerModelOf, prompted, usesModel } from './sessionInfo';
import { changeState, childChanged } from './subagents';
import { describeEnd, describeState } from './words';
import type { AcpWriter } from './writer';

// In version 1 the answer to a prompt ends its turn, in version 2 a `state_update`. Agents may also start turns unprompted. Subagents' turns
// count as unprompted.

/** What an answer means for its prompt. In version 1, it ends the turn. */
export type TurnAnswer = PromptAnswer | 'ends-turn';

const maxStopReason = 100;
const maxProgress = 200;
/** The schema calls the total the sum of all types of tokens. Most agents keep to that; for others, the total that they send tells. */
const convention: UsageConvention = { inputExcludesCache: true, outputExcludesReasoning: true };
const startedByItself = { level: 'info', logger: 'turn', message: 'started without a prompt' } as const;

/** The client sends a request. Returns whether it is a prompt that is sent again. */
export function requestSent(request: OpenRequest, params: JsonObject, out: AcpWriter): boolean {
  const { id, method, sessionId } = request;
  const turn = out.work.turnOf(sessionId);
  if (turn && closesSession(method)) out.fact(sessionId, { type: 'turn', change: 'closing' });
  if (method !== 'session/prompt' || sessionId === undefined) return false;
  const session = out.sessions.of(sessionId);
  const { prompts } = session;
  const isRetry = prompts.begin(request, params, turn !== undefined);
  const prompt = prompts.textOf(id);
  if (!turn) start(session, { prompt }, out);
  prompted(session, prompt, out);
  return isRetry;
}

/** The agent answers a request. Returns what that means for its prompt. */
export function answerMeans(request: OpenRequest, { result, error }: Answer, out: AcpWriter): TurnAnswer | undefined {
  const { id, method, sessionId } = request;
  if (method === 'initialize' && !error) initialized(objectOf(result), out);
  if (sessionId === undefined || method !== 'session/prompt') return undefined;
  // Otherwise only the queued prompt is refused or cancelled.
  const { prompts } = out.sessions.of(sessionId);
  const isOfTurn = !prompts.isWaiting(id);
  return prompts.answer(id, result, out.isVersion2) ?? (isOfTurn ? 'ends-turn' : undefined);
}

/** Ends the turns that an answer ends. */
export function answerEnds(
  { method, sessionId }: OpenRequest,
  { result, error }: Answer,
  means: TurnAnswer | undefined,
  out: AcpWriter,
): void {
  if (sessionId === undefined) return;
  if (closesSession(method) && !error) endBelow(sessionId, out);
  if (means === 'ends-turn') end(out.sessions.of(sessionId), objectOf(result), error, out);
}

/** A request, or a notification, by which an agent reports a turn of its own. */
export function turnBracketed(method: string, sessionId: string | undefined, params: JsonObject, out: AcpWriter): void {
  if (sessionId === undefined) return;
  const own = out.extensions.first((extension) => extension.turnOf?.(method, params));
  if (!own) return;
  const session = out.sessions.of(sessionId);
  const turn = out.work.turnOf(sessionId);
  if (own.type === 'started' && !turn) start(session, { isUnprompted: true }, out);
  if (own.type === 'ended' && turn?.isUnprompted === true) {
    end(session, { stopReason: own.stopReason }, undefined, out);
  }
}

/** The client cancels the turn of a session, and with it those of its subagents. */
export function turnCancelled(sessionId: string | undefined, out: AcpWriter): void {
  out.fact(sessionId, { type: 'turn', change: 'cancelled', method: 'session/cancel' });
  for (const { id } of out.sessions.below(sessionId)) {
    if (out.work.turnOf(id)) out.fact(id, { type: 'turn', change: 'cancelled', method: cancelOfParent });
  }
}

/** The client cancels a request, which may be the prompt of the running turn. */
export function requestCancelled({ id, sessionId }: OpenRequest, method: string, out: AcpWriter): void {
  if (sessionId === undefined || out.work.turnOf(sessionId)?.cancel) return;
  if (out.sessions.get(sessionId)?.prompts.isUnanswered(id) === true) {
    out.fact(sessionId, { type: 'turn', change: 'cancelled', method });
  }
}

/** Handles a `usage_update`, whose cost is cumulative. */
export function used({ id, lasting }: AcpSession, { cost, used, size }: JsonObject, out: AcpWriter): void {
  const { amount, currency } = objectOf(cost);
  const contextTokens = numberOf(used);
  const usage = contextTokens === undefined ? undefined : ({ contextTokens, basis: 'unknown' } as const);
  const context = usageWithWindow(usage, size);
  if (context) out.fact(id, { type: 'usage', id: undefined, usage: context });
  if (out.isReplay || typeof amount !== 'number' || currency !== 'USD') return;
  lasting.cost = { total: amount, before: lasting.cost?.before };
}

/** Handles a `state_update`, or the state of a child in its parent's `subagent_update`. */
export function stateChanged(session: AcpSession, update: JsonObject, out: AcpWriter): void {
  const { id, child } = session;
  const { state } = update;
  const isNews = !child || changeState(child, update);
  if (out.isReplay) return out.record(id, describeState(update));
  const facts = backgroundListed(session, update, out);
  if (child) childChanged(child, update, out);
  if (state === 'running') began(session, update, out);
  else if (state !== 'idle' || !idle(session, update, out)) {
    const text = describeState(update);
    out.record(id, isNews ? text : { ...text, level: 'debug' });
  }
  if (state === 'requires_action') out.fact(id, { type: 'waiting' });
  for (const fact of facts) out.fact(id, fact);
}

/** Reports the tool call that started last as progress of the oldest prompt; later prompts wait, or steer the turn. */
export function reportProgress(sessionId: string | undefined, { work, sessions }: AcpWriter): void {
  const turn = work.turnOf(sessionId);
  const id = turn && sessions.get(turn.sessionId)?.prompts.first;
  const before = id === undefined ? undefined : work.requests.get('out', id);
  if (!turn || !before) return;
  const title = [...turn.tools.values()].at(-1)?.title;
  const message = title && oneLine(title, maxProgress);
  const { progress, message: told } = before.progress ?? { progress: 0 };
  if (progress === turn.endedCalls && told === message) return;
  const now = { progress: turn.endedCalls, ...(message !== undefined && { message }) };
  work.requests.report('out', before.id, now);
}

/** The session works, possibly without a prompt. */
function began(session: AcpSession, update: JsonObject, out: AcpWriter): void {
  const { id, child, prompts } = session;
  prompts.begun(true);
  const isUnprompted = !out.work.turnOf(id);
  if (isUnprompted) start(session, { isUnprompted, prompt: child ? ownHead(nameOf(child), maxPrompt) : '' }, out);
  out.record(id, isUnprompted && !child ? startedByItself : describeState(update));
}

/** The session no longer works, which ends its turn, unless that is of a later prompt. Returns whether there is a record of it. */
function idle(session: AcpSession, update: JsonObject, out: AcpWriter): boolean {
  const { id: sessionId, prompts } = session;
  const { t } = out.event;
  const ended = prompts.idle(update);
  const turn = out.work.turnOf(sessionId);
  const isCancelled = turn?.isUnwanted === true;
  for (const id of ended) {
    const request = out.work.requests.end('out', id, 'answered', t);
    if (request) out.record(sessionId, describeEnd(update, t - request.startedAt, isCancelled));
  }
  if (!turn || prompts.isRunning) return ended.length > 0;
  end(session, update, rpcError(update['error']), out);
  if (ended.length > 0) return true;
  // The record follows with the answer to the prompt.
  if (prompts.hasEnded) return false;
  out.record(sessionId, describeEnd(update, t - turn.startedAt, isCancelled));
  return true;
}

function initialized(result: JsonObject, out: AcpWriter): void {
  out.isVersion2 = result['protocolVersion'] === 2;
  out.agent = textOf(objectOf(result['agentInfo'] ?? result['info'])['name']) ?? '';
}

function start(
  { id, lasting }: AcpSession,
  { prompt = '', isUnprompted = false, cancel }: Partial<Pick<TurnStartedFact, 'prompt' | 'isUnprompted' | 'cancel'>>,
  out: AcpWriter,
): void {
  if (lasting.cost) lasting.cost = { total: lasting.cost.total, before: lasting.cost.total };
  out.fact(id, { type: 'turn', change: 'started', startedAt: out.event.t, prompt, isUnprompted, cancel });
}

/** Ends the running turn, and starts that of the next queued prompt. */
function end(session: AcpSession, fields: JsonObject, error: RpcError | undefined, out: AcpWriter): void {
  const { id: sessionId, lasting, prompts } = session;
  const turn = out.work.turnOf(sessionId);
  if (!turn) return;
  const { total = 0, before } = lasting.cost ?? {};
  const cost = before === undefined ? undefined : costOf(total, before);
  const stopReason = textOf(fields['stopReason'])?.slice(0, maxStopReason);
  const usage = usageOfTurn(fields, cost, out);
  usesModel(session, answerModelOf(objectOf(fields['_meta'])), out, true);
  out.fact(sessionId, turnEnded({ event: out.event, sessionId }, { stopReason, error, usage }));
  const next = prompts.next();
  if (!next) return;
  // A cancel also applies to the prompts that were sent before it.
  const cancel = turn.cancel && turn.cancel.at > next.sentAt ? turn.cancel : undefined;
  start(session, { prompt: next.text, cancel }, out);
}

/** Version 1's schema calls `usage` cumulative, but agents count what they like. */
function usageOfTurn(fields: JsonObject, cost: number | undefined, out: AcpWriter): Usage | undefined {
  const { usage } = fields;
  const meta = objectOf(fields['_meta']);
  const own = isObject(usage) ? undefined : out.extensions.first((extension) => extension.usageOf?.(meta));
  const told = out.extensions.first(({ counts }) =>
    counts?.agent.test(out.agent) === true ? counts.basis : undefined,
  );
  return usageOf(own ?? objectOf(usage), own || out.isVersion2 ? 'turn' : (told ?? 'unknown'), { convention, cost });
}

/** Closing a session ends its subagents. */
function endBelow(sessionId: string, out: AcpWriter): void {
  const children = out.sessions.below(sessionId);
  for (const { id } of children) {
    if (!out.work.turnOf(id)) continue;
    out.fact(id, { type: 'turn', change: 'closing' });
    end(out.sessions.of(id), { stopReason: 'cancelled' }, undefined, out);
  }
  for (const child of children) childChanged(child, { state: 'idle', stopReason: 'cancelled' }, out);
}
