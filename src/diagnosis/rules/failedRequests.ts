import type { Words } from '../../text/translator';
import { t } from '../../text/translator';
import type { OpenRequest } from '../../work/requests';
import { isBeginning, isEnd } from '../../protocols/lifecycle';
import type { Conversation } from '../conversation/conversation';
import type { Finding, Standing } from '../diagnosis';
import { standing } from '../diagnosis';
import { errorText } from '../../work/failures/errorText';
import { causeOf, causes } from '../causes';
import {
  invalidParams,
  methodNotFound,
  missingClientCapability,
  requestCancelled,
  unsupportedVersion,
} from '../../work/errorCodes';
import { classOfError } from '../failures/errorClass';
import { adviceOn } from '../failures/failureAdvice';
import { isPromised } from '../failures/calls/promisedMethod';
import { loginSubjects, missingLogin } from '../failures/loginAdvice';
import { failedCallSubject, patience } from '../failures/calls/calledAgain';
import { saysMisled } from '../failures/calls/dealtWith';
import { missingCapabilities } from '../failures/missingCapabilities';
import type { Findings, Found, Rule } from '../rule';
import type { ProcessFact, RequestFact, ResponseFact } from '../../work/facts';
import { objectOf, textOf } from '../../text/json';
import { boundedJson } from '../../text/boundedJson';
import type { MethodRole } from '../../work/methodRole';
import { unspawnedIn } from '../../work/failures/missingProgram';
import type { RpcError } from '../../work/rpcError';
import { otherProtocolIn, versionAdvice } from '../lint/versions';
import { peer } from '../../protocols/terms';

/** Requests that must succeed. */
const vital: ReadonlySet<MethodRole | undefined> = new Set(['greeting', 'login', 'open', 'reopen']);
/** Requests that another rule judges (turns), or that agents don't have to support. */
const exempt: ReadonlySet<MethodRole | undefined> = new Set(['turn', 'level', 'probe']);
/** LSP's codes for requests that became outdated or can't be done: the document changed, the server is busy, nothing to rename. */
const outdated = new Set([-32801, -32802, -32803]);

/** How servers refuse to call a tool that only runs as a task (MCP 2025-11-25). */
const needsTask = /\b(?:requires?|needs?)\b.{0,40}\btasks?\b/i;

/** Requests that were refused for lack of a login, held back while others may be refused. */
interface Refused {
  readonly methods: string[];
  readonly finding: Finding;
}

/** How long they are held back, in milliseconds. */
const maxHold = 250;
const maxVersions = 10;
const refuses =
  /\b(?:unsupported|not supported|(?:not|n['’]t) support|incompatible|mismatch|unknown|invalid|expected|only)\b/i;
/** A version of something else than the protocol. */
const ofProgram =
  /\b(?:this|your|node(?:\.js)?|python|bun|deno|java|cli|app|api|model) version|\bversion of\b|\bup(?:date|grade)\b/i;

/** The client's requests that the agent answered with an error, except for harmless refusals. */
export class FailedRequests implements Rule {
  private refused: Refused | undefined;
  /** That a first offer was refused, unless the client makes another: it may have to restart the agent for that. */
  private offer: Finding | undefined;

  request({ dir }: RequestFact): undefined {
    if (dir === 'c2a') this.offer = undefined;
  }

  process({ event }: ProcessFact): Findings {
    if (isBeginning(event)) this.offer = undefined;
    return isEnd(event) ? this.release() : undefined;
  }

  finished(): Findings {
    return [this.release(), this.offer];
  }

  response(answer: ResponseFact, conversation: Conversation): Findings {
    const { dir, request, error } = answer;
    if (dir !== 'a2c' || !request) return undefined;
    return error ? this.judge({ ...answer, request, error }, conversation) : undefined;
  }

  passed(t: number): Findings {
    return this.refused && t - this.refused.finding.at > maxHold ? this.release() : undefined;
  }

  isWatching(): boolean {
    return this.refused !== undefined;
  }

  /** Findings to report now; a missing login is held back. */
  private judge(seen: FailedResponse, conversation: Conversation): Finding | undefined {
    const { request, error } = seen;
    if (exempt.has(request.role) || request.method.startsWith('_') || error.code === requestCancelled) {
      return undefined;
    }
    if (conversation.protocol === 'lsp' && error.code !== undefined && outdated.has(error.code)) return undefined;
    if (error.code === methodNotFound && !vital.has(request.role) && !isPromised(request.method, conversation)) {
      return undefined;
    }
    // The end of its tool call says more.
    if (request.taskId !== undefined && conversation.work.tools.ofTask(request.taskId)?.hasEnded === true) {
      return undefined;
    }
    if (otherProtocolIn(seen, conversation) !== undefined) return undefined;
    const found = judge(request, error, conversation, seen.event.t - request.startedAt);
    if (request.role === 'greeting' && objectOf(request.noted)['isProbe'] === true) {
      // A repeated one says only which version is spoken.
      if (request.isOptional !== true) this.offer = { ...found, ...placeOf(seen) };
      return undefined;
    }
    if (found.code !== 'authentication-required' || found.level === 'error') {
      const isLogin = found.code === 'authentication-required';
      const delivery = isLogin ? standing(loginSubjects.requests) : calledAgain(request, error, conversation);
      return { ...found, key: `${request.method} ${error.message}`, delivery, ...placeOf(seen) };
    }
    // One login fixes all of these, so they are reported together.
    if (this.refused) this.refused.methods.push(request.method);
    else {
      const finding: Finding = {
        ...found,
        ...missingLogin(loginSubjects.requests, conversation, error.code),
        ...placeOf(seen),
      };
      this.refused = { methods: [request.method], finding };
    }
    return undefined;
  }

  private release(): Finding | undefined {
    if (!this.refused) return undefined;
    const { methods, finding } = this.refused;
    this.refused = undefined;
    const names = [...new Set(methods)].map((method) => `\`${method}\``);
    if (names.length === 1) return finding;
    const before = names.slice(0, -1).join(', ');
    return { ...finding, what: t('Not logged in: {0} and {1} were refused', before, names.at(-1) ?? '') };
  }
}

type FailedResponse = ResponseFact & { readonly request: OpenRequest; readonly error: RpcError };

/** The arguments of a tool are the model's, but these are the client's. */
const ofProtocol = /\b_meta\b|\bprotocol\b/i;

/** A tool that failed may succeed later. If it was called wrongly, the model behind the client soon tries again. */
function calledAgain(request: OpenRequest, { code, message }: RpcError, { work }: Conversation): Standing | undefined {
  const tool = work.tools.ofRequest(request);
  if (!tool) return undefined;
  const isWrong = code === invalidParams && !ofProtocol.test(message);
  return standing(failedCallSubject(tool, isWrong || saysMisled(message)), isWrong ? patience : undefined);
}

function placeOf(seen: ResponseFact): Pick<Finding, 'sessionId' | 'at' | 'raw'> {
  return { sessionId: seen.sessionId, at: seen.event.t, raw: seen.event.line };
}

/** Whether an agent refuses the version that `initialize` offers. */
function refusesVersion({ message, data }: RpcError): boolean {
  const head = message.slice(0, 500);
  const isOfProtocol = /\bprotocol[\s_-]?version/i.test(head) || (/\bversion/i.test(head) && !ofProgram.test(head));
  return (isOfProtocol && refuses.test(head)) || supportedIn(data).length > 0;
}

/** The versions that an error says the agent speaks. */
function supportedIn(data: unknown): readonly string[] {
  const { supported, supportedVersions = supported, supported_versions: versions = supportedVersions } = objectOf(data);
  return (Array.isArray(versions) ? versions : [versions])
    .slice(0, maxVersions)
    .map((one: unknown) => (typeof one === 'number' ? String(one) : (textOf(one) ?? '').slice(0, 40)))
    .filter((one) => /^v?\d/.test(one));
}

function versionsOf({ data }: RpcError, { initializeParams }: Conversation): Words | undefined {
  const supported = supportedIn(data);
  if (supported.length === 0) return undefined;
  const offered = initializeParams?.['protocolVersion'] ?? objectOf(data)['requested'];
  return t('The {2} speaks version {0}; the client offered {1}', supported.join(', '), boundedJson(offered, 60), peer);
}

function judge(request: OpenRequest, error: RpcError, conversation: Conversation, ms: number): Found {
  const { method, role } = request;
  const what = t('`{0}` failed after {1}: {2}', method, { ms }, errorText(error));
  if (error.code === unsupportedVersion || (role === 'greeting' && refusesVersion(error))) {
    const told = versionsOf(error, conversation) ?? what;
    return { code: 'version-not-spoken', level: 'error', what: told, advice: versionAdvice, cause: causes.unsupported };
  }
  if (error.code === missingClientCapability) {
    const advice = missingCapabilities(error);
    return { code: 'failed-request', level: 'warning', what, cause: t('failed · {0}', method), advice };
  }
  const own = classOfError(error, request, conversation);
  // Other requests may report that the requested item is missing, rather than a program.
  const isVague = own === 'missing-executable' && !vital.has(role) && unspawnedIn(error.message) === undefined;
  const failure = isVague ? 'other' : own;
  const advice = adviceOn(failure, error.message, conversation, error.data);
  if (failure === 'authentication') {
    const isLogin = role === 'login';
    // An agent that isn't even initialized can't offer a way to log in.
    const isVital = isLogin || role === 'greeting';
    return {
      code: 'authentication-required',
      level: isVital ? 'error' : 'warning',
      what: isLogin
        ? t('Login failed: {0}', errorText(error))
        : t('Not logged in: `{0}` was refused: {1}', method, errorText(error)),
      cause: causeOf(failure),
      advice,
    };
  }
  if (error.code === methodNotFound && !vital.has(role)) {
    const bug = needsTask.test(error.message)
      ? t('Call this tool as a task (`params.task`); the client has to support that (MCP "Tasks").')
      : t('Bug in the {0}: it declares a capability for this request.', peer);
    return { code: 'failed-request', level: 'warning', what, cause: t('failed · {0}', method), advice: bug };
  }
  const level = vital.has(role) ? 'error' : 'warning';
  const code =
    failure === 'missing-executable' ? failure : failure === 'rate-limit' ? 'rate-limited' : 'failed-request';
  const cause = causeOf(failure) ?? t('failed · {0}', method);
  return { code, level, what, cause, advice, ...(failure === 'no-session' && { offers: 'saved-sessions' }) };
}
