import { duration } from '../../log/text';
import type { OpenRequest } from '../../protocols/jsonrpc/requests';
import { isEnd } from '../../protocols/lifecycle';
import { authCodeOf, methodNotFound, unsupportedVersion } from '../failures/codes';
import type { Conversation } from '../conversation/conversation';
import type { Finding } from '../diagnosis';
import { errorText } from '../failures/errorText';
import { adviceFor, causeOf, classOfError } from '../failures/failureClass';
import { loginAdvice, loginKey } from '../failures/loginAdvice';
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
/** LSP's codes for what became pointless or can't be done: the document has changed, the server is busy, there is nothing to rename. */
const outdated = new Set([-32801, -32802, -32803]);

/** As Node.js says it. */
const notSpawned = /\bspawn \S{1,100} ENOENT\b/;

/** Requests that were refused for want of a login, held back while others are open that may be refused too. */
interface Refused {
  readonly methods: string[];
  readonly finding: Finding;
}

/** So long they are held back, in milliseconds. */
const maxHold = 250;

/** Requests of the client that the agent answered with an error, but those whose refusal is no fault. */
export class FailedRequests implements Rule {
  private refused: Refused | undefined;

  looksAt(): boolean {
    return false;
  }

  see(seen: Seen, conversation: Conversation, report: Report): void {
    if (seen.type === 'process' && isEnd(seen.event)) this.release(report);
    if (seen.type !== 'response' || seen.dir !== 'a2c' || !seen.request) return;
    if (seen.error) this.seeError({ ...seen, request: seen.request, error: seen.error }, conversation, report);
    if (!awaitsOthers(conversation)) this.release(report);
  }

  passed(t: number, _conversation: Conversation, report: Report): void {
    if (this.refused && t - this.refused.finding.at > maxHold) this.release(report);
  }

  isWatching(): boolean {
    return this.refused !== undefined;
  }

  private seeError(seen: FailedResponse, conversation: Conversation, report: Report): void {
    const { request, error } = seen;
    if (exempt.has(request.method) || request.method.startsWith('_') || error.code === requestCancelled) return;
    if (conversation.protocol === 'lsp' && error.code !== undefined && outdated.has(error.code)) return;
    if (error.code === methodNotFound && !vital.has(request.method)) return;
    if (otherProtocolIn(seen, conversation) !== undefined) return;
    const found = judge(request.method, error, conversation, seen.event.t - request.startedAt);
    if (found.code !== 'authentication-required' || found.level === 'error') {
      return report({ ...found, key: `${request.method} ${error.message}`, ...placeOf(seen) });
    }
    // Whatever is refused for it: somebody has to log in, once.
    if (this.refused) this.refused.methods.push(request.method);
    else {
      const finding: Finding = { ...found, key: loginKey, isMomentary: true, ...placeOf(seen) };
      this.refused = { methods: [request.method], finding };
    }
  }

  private release(report: Report): void {
    if (!this.refused) return;
    const { methods, finding } = this.refused;
    this.refused = undefined;
    const names = [...new Set(methods)].map((method) => `\`${method}\``);
    if (names.length === 1) return report(finding);
    report({
      ...finding,
      what: `Not logged in: ${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''} were refused`,
    });
  }
}

type FailedResponse = ResponseFact & { readonly request: OpenRequest; readonly error: RpcError };

/** Whether other requests are open that fail without a login too. */
function awaitsOthers({ openRequests }: Conversation): boolean {
  return openRequests.some(({ direction, method }) => direction === 'out' && method !== 'session/prompt');
}

function placeOf(seen: ResponseFact): Pick<Finding, 'sessionId' | 'at' | 'raw'> {
  return { sessionId: seen.sessionId, at: seen.event.t, raw: seen.event.line };
}

function judge(
  method: string,
  error: RpcError,
  conversation: Conversation,
  ms: number,
): Pick<Finding, 'code' | 'level' | 'what' | 'advice' | 'cause'> {
  const what = `\`${method}\` failed after ${duration(ms)}: ${errorText(error)}`;
  if (error.code === unsupportedVersion) {
    const advice = 'Use a version of the agent or the client that supports the same protocol version.';
    return { code: 'version-not-spoken', level: 'error', what, advice, cause: 'unsupported version' };
  }
  const told = classOfError(error, authCodeOf(conversation.protocol));
  // In other requests it is what was asked for that is not there, unless it was a program that was to be started.
  const isVague = told === 'missing-executable' && !vital.has(method) && !notSpawned.test(error.message);
  const failure = isVague ? 'other' : told;
  const advice = adviceFor(failure, error.message);
  if (failure === 'authentication') {
    const login = loginAdvice(conversation, error.message, error.data);
    const isLogin = method === 'authenticate' || method === 'auth/login';
    return {
      code: 'authentication-required',
      level: isLogin ? 'error' : 'warning',
      what: isLogin
        ? `Login failed: ${errorText(error)}`
        : `Not logged in: \`${method}\` was refused: ${errorText(error)}`,
      cause: causeOf(failure),
      advice: login,
    };
  }
  const level = vital.has(method) ? 'error' : 'warning';
  const code =
    failure === 'missing-executable' ? failure : failure === 'rate-limit' ? 'rate-limited' : 'failed-request';
  const cause = causeOf(failure) ?? `failed · ${method}`;
  return { code, level, what, cause, ...(advice !== undefined && { advice }) };
}
