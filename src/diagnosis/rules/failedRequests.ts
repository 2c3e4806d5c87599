import { duration } from '../../log/text';
import { objectOf } from '../../protocols/json';
import { authCodeOf, methodNotFound, unsupportedVersion } from '../codes';
import type { Conversation } from '../conversation';
import type { Finding } from '../diagnosis';
import { errorText } from '../errorText';
import { adviceFor, classOfError } from '../failureClass';
import { loginAdvice, loginKey } from '../loginAdvice';
import type { Report, Rule } from '../rule';
import type { ResponseFact } from '../../protocols/facts';
import type { Seen } from '../seen';
import type { RpcError } from '../../protocols/jsonrpc/rpcError';
import { otherProtocolIn } from './otherProtocols';

/** Without these nothing works. */
const vital = new Set(['initialize', 'session/new', 'session/load', 'session/resume', 'authenticate']);
/** How a turn ends is another rule's business, and no agent has to know how to change its level, nor what only newer ones do. */
const exempt = new Set(['session/prompt', 'logging/setLevel', 'server/discover']);
const requestCancelled = -32800;
/** LSP's codes for what became pointless: the document has changed since, or the server had better to do. */
const outdated = new Set([-32801, -32802]);

/** As Node.js says it. */
const notSpawned = /\bspawn \S{1,100} ENOENT\b/;

/** Requests of the client that the agent answered with an error, but those whose refusal is no fault. */
export class FailedRequests implements Rule {
  looksAt(): boolean {
    return false;
  }

  see(seen: Seen, conversation: Conversation, report: Report): void {
    if (seen.type !== 'response' || seen.dir !== 'a2c' || !seen.request || !seen.error) return;
    const { request, error } = seen;
    if (exempt.has(request.method) || request.method.startsWith('_') || error.code === requestCancelled) return;
    if (conversation.protocol === 'lsp' && error.code !== undefined && outdated.has(error.code)) return;
    if (error.code === methodNotFound && !vital.has(request.method)) return;
    if (otherProtocolIn(seen, conversation) !== undefined) return;
    const found = judge(request.method, error, conversation, seen.event.t - request.startedAt);
    // Whatever fails for it, and however the agent says so: somebody has to log in, once.
    const key = found.code === 'authentication-required' ? loginKey : `${request.method} ${error.message}`;
    report({ ...found, key, ...placeOf(seen) });
  }
}

function placeOf(seen: ResponseFact): Pick<Finding, 'sessionId' | 'at' | 'raw'> {
  return { sessionId: seen.sessionId, at: seen.event.t, raw: seen.event.line };
}

function judge(
  method: string,
  error: RpcError,
  conversation: Conversation,
  ms: number,
): Pick<Finding, 'code' | 'level' | 'what' | 'advice'> {
  const what = `${method} failed after ${duration(ms)}: ${errorText(error)}`;
  if (error.code === unsupportedVersion) {
    const advice = 'Look for a version of the agent, or of its client, that speaks the same.';
    return { code: 'version-not-spoken', level: 'error', what, advice };
  }
  const told = classOfError(error, authCodeOf(conversation.protocol));
  // In other requests it is what was asked for that is not there, unless it was a program that was to be started.
  const isVague = told === 'missing-executable' && !vital.has(method) && !notSpawned.test(error.message);
  const failure = isVague ? 'other' : told;
  const advice = adviceFor(failure, error.message);
  if (failure === 'authentication') {
    const login = loginAdvice(conversation, objectOf(error.data));
    return {
      code: 'authentication-required',
      level: method === 'authenticate' ? 'error' : 'warning',
      what,
      advice: login,
    };
  }
  const level = vital.has(method) ? 'error' : 'warning';
  const code =
    failure === 'missing-executable' ? failure : failure === 'rate-limit' ? 'rate-limited' : 'failed-request';
  return { code, level, what, ...(advice !== undefined && { advice }) };
}
