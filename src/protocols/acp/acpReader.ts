import type { FileChange } from '../../work/changes/fileChange';
import { changesOfRequest } from './changes';
import type { Level } from '../../text/level';
import type { JsonObject } from '../../text/json';
import { isObject, objectOf, requestIdOf } from '../../text/json';
import type { RecordDraft } from '../../text/record';
import type { WireMessage, WireProcessEvent } from '../../wire/wireEvent';
import type { OpenRequest } from '../../work/requests';
import type { RpcError } from '../../work/rpcError';
import type { ReaderContext } from '../interpreter';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import type { Answer, RequestDetails } from '../jsonrpc/jsonRpcInterpreter';
import { JsonRpcInterpreter } from '../jsonrpc/jsonRpcInterpreter';
import { isBeginning } from '../lifecycle';
import type { LogLine } from '../logLine/logLine';
import { terminalCancelled } from './background';
import { describeError, describeNotification, describeRequest, describeResult, loggerOf, notedOf } from './exchange';
import type { AcpExtensions } from './extension';
import { isLogMethod, logForm, logRecord } from './logMessage';
import { acpMethods } from './methods';
import { answered, asked, withdrawn } from './questions';
import { closesSession, nameOf } from './session';
import { modeChanged, opened } from './sessionInfo';
import type { TurnAnswer } from './turns';
import {
  answerEnds,
  answerMeans,
  reportProgress,
  requestCancelled,
  requestSent,
  turnBracketed,
  turnCancelled,
} from './turns';
import { readUpdate } from './updates';
import { describeEnd, describeTermination, describeUnknown, sessionEndedMethod, sessionTermination } from './words';
import { AcpWriter } from './writer';

const accepted: ExchangeText = { level: 'debug', logger: 'turn', message: 'accepted' };
const acceptedBefore: ExchangeText = { level: 'debug', logger: 'turn', message: 'accepted before: a retry' };

/** If one of these requests succeeds, the session is usable. */
const resuming = new Set(['session/load', 'session/resume', 'session/prompt']);

/** Requests that are turns or questions. */
const otherSteps = new Set(['session/prompt', 'session/request_permission', 'elicitation/create']);

/** Reads the Agent Client Protocol (agentclientprotocol.com), versions 1 and 2. */
export class AcpReader extends JsonRpcInterpreter {
  private readonly out: AcpWriter;
  /** What the latest answer means for its prompt. */
  private means: TurnAnswer | undefined;
  /** Whether the client had cancelled the turn that an answer ends. */
  private endsCancelled = false;
  /** Whether the process has answered `initialize`, so that a repeated one adds nothing and may fail. */
  private isGreeted = false;

  constructor(context: ReaderContext, extensions: AcpExtensions) {
    super(context, { expected: 'ACP has one JSON-RPC message to a line', logForm, methods: acpMethods });
    this.out = new AcpWriter(context, extensions, (draft) => this.earlier(draft));
  }

  protected override acceptLog(line: LogLine): void {
    if (line.sessionId !== undefined) line.sessionId = this.out.ids.file(line.sessionId, line.receivedAt);
    super.acceptLog(line);
  }

  override quiet(t: number): void {
    super.quiet(t);
    this.out.chunks.quiet(t);
  }

  override get isWaiting(): boolean {
    return super.isWaiting || this.out.chunks.isWaiting;
  }

  protected override sessionOf(fields: JsonObject, t: number): string | undefined {
    return this.out.ids.of(fields, t);
  }

  protected override isHistory(sessionId: string | undefined): boolean {
    return this.out.sessions.isReplaying(sessionId);
  }

  /** Attributes a line that names a session to it, and shortens the ID. */
  protected override stderrRecord(draft: RecordDraft): RecordDraft {
    // Agents that can't change their level complain when asked, which is expected.
    const isOurs = draft.message.includes('logging/setLevel') && draft.message.includes('-32601');
    return this.out.ids.attribute(isOurs ? { ...draft, level: 'debug' } : draft);
  }

  protected override acceptConnectionEvent(event: WireProcessEvent): boolean {
    if (isBeginning(event)) this.isGreeted = false;
    this.out.chunks.completeAll();
    return false;
  }

  protected override acceptEnd(event: WireProcessEvent): void {
    super.acceptEnd(event);
    // Another process may follow in the same log.
    this.out.clear();
  }

  protected override lossLevel({ method, isOptional }: OpenRequest): Level {
    if (isOptional === true) return 'info';
    return method === 'session/prompt' ? 'error' : 'warning';
  }

  protected override loggerOf(request: OpenRequest): string {
    return loggerOf(request);
  }

  protected override detailsOf(method: string, params: unknown, t: number): RequestDetails {
    const sessionId = this.out.ids.of(objectOf(params), t);
    if (method === 'initialize' && this.isGreeted) return { noted: { isProbe: true }, isOptional: true };
    return { ...(sessionId !== undefined && { sessionId }), noted: notedOf(method, params) };
  }

  protected override isOtherStep(method: string): boolean {
    return otherSteps.has(method);
  }

  protected override changesOf(method: string, params: JsonObject): readonly FileChange[] | undefined {
    return changesOfRequest(method, params);
  }

  protected override acceptRequest(event: WireMessage, request: OpenRequest, params: unknown): void {
    const { method, sessionId, direction } = request;
    const { out } = this;
    out.begin(event);
    if (method === 'session/prompt' || method === 'session/request_permission') out.interrupt(sessionId);
    out.sessions.beginReplay(request);
    const fields = objectOf(params);
    const isRetry = direction === 'out' && requestSent(request, fields, out);
    if (method === 'terminal/cancel' && sessionId !== undefined) terminalCancelled(out.sessions.of(sessionId), fields);
    if (direction === 'in') {
      turnBracketed(method, sessionId, fields, out);
      asked(request, fields, out);
    }
    const child = out.sessions.get(sessionId)?.child;
    const text = describeRequest(request, params, child && `subagent "${nameOf(child)}"`);
    this.record(event, isRetry && text ? { ...text, message: `sent again: ${text.message}` } : text, sessionId);
  }

  protected override goesOn(request: OpenRequest, answer: Answer): boolean {
    this.means = request.direction === 'out' ? answerMeans(request, answer, this.out) : undefined;
    return this.means === 'running';
  }

  protected override acceptAnswer(event: WireMessage, request: OpenRequest, response: Answer): void {
    this.out.begin(event);
    const { out, means } = this;
    this.endsCancelled = out.work.turnOf(request.sessionId)?.isUnwanted === true;
    if (request.direction === 'in') answered(request, response, out);
    else answerEnds(request, response, means, out);
    if (means === 'running') {
      const dropped = this.requests.accept(request);
      if (dropped) this.closed(dropped);
      return this.record(event, accepted, request.sessionId);
    }
    if (!means || means === 'ends-turn') return super.acceptAnswer(event, request, response);
    this.closed(request);
    const text =
      means === 'repeated' ? acceptedBefore : describeEnd(means.ended, event.t - request.startedAt, this.endsCancelled);
    this.record(event, text, request.sessionId);
  }

  protected override acceptError(event: WireMessage, request: OpenRequest, error: RpcError, ms: number): void {
    this.out.interrupt(request.sessionId);
    this.out.sessions.endReplay(request);
    this.record(event, describeError(request, error, ms), request.sessionId);
  }

  protected override acceptResult(event: WireMessage, request: OpenRequest, result: unknown, ms: number): void {
    const { out } = this;
    const fields = objectOf(result);
    const sessionId = this.sessionOfResult(request, fields, event.t);
    if (request.method === 'initialize') this.isGreeted = true;
    if (request.method === 'session/prompt') out.interrupt(sessionId);
    const replayed = out.sessions.endReplay(request);
    this.record(event, describeResult(request, result, ms, { replayed, isCancelled: this.endsCancelled }), sessionId);
    if (sessionId === undefined || request.direction === 'in') return;
    const session = out.sessions.of(sessionId);
    // No turn has cost anything yet.
    if (request.method === 'session/new') session.lasting.cost = { total: 0, before: undefined };
    opened(session, fields, out);
    if (request.method === 'session/set_mode') modeChanged(session, objectOf(request.noted)['modeId'], out);
    if (closesSession(request.method)) this.endSession(sessionId, event.t);
    else if (resuming.has(request.method) && request.isOutdated !== true) {
      this.sink.session({ type: 'resumed', sessionId, at: event.t });
    }
  }

  /** `session/fork` names the old session in the request and the new one in the response. */
  private sessionOfResult({ method, sessionId }: OpenRequest, result: JsonObject, at: number): string | undefined {
    const named = method === 'session/fork' || sessionId === undefined ? this.out.ids.of(result, at) : undefined;
    return named ?? sessionId;
  }

  protected override acceptNotification(event: WireMessage, method: string, params: unknown): void {
    if (event.dir === 'a2c' && isLogMethod(method)) {
      const draft = logRecord(params, event.t, event.line);
      if (draft.sessionId !== undefined) draft.sessionId = this.out.ids.file(draft.sessionId, event.t);
      return this.sink.record(draft);
    }
    const { out } = this;
    const fields = objectOf(params);
    const sessionId = out.ids.of(fields, event.t);
    out.begin(event);
    if (event.dir === 'a2c') {
      if (method === sessionEndedMethod) return this.acceptSessionEnd(event, sessionId, params);
      if (method === 'session/update' && isObject(fields['update'])) {
        return this.acceptUpdate(sessionId, fields['update']);
      }
      turnBracketed(method, sessionId, fields, out);
      const report = out.extensions.first((extension) => extension.reportOf?.(method, fields));
      if (report && !this.isHistory(sessionId)) out.fact(sessionId, report);
      const quota = out.extensions.first((extension) => extension.quotaOf?.(method, fields));
      if (quota) out.fact(sessionId, { type: 'quota', windows: [quota] });
    }
    if (method === 'session/cancel') out.interrupt(sessionId);
    const cancelled = method === '$/cancel_request' ? this.requestNamedIn(event, params) : undefined;
    if (event.dir === 'c2a' && method === 'session/cancel') turnCancelled(sessionId, out);
    if (cancelled?.direction === 'out') requestCancelled(cancelled, method, out);
    else if (cancelled) withdrawn(cancelled, out);
    const own = out.extensions.first((extension) => extension.wordsOf?.(method, fields));
    const text = own ?? describeNotification(method, params, cancelled, event.t);
    this.record(event, text, cancelled?.sessionId ?? sessionId);
  }

  private acceptUpdate(sessionId: string | undefined, update: JsonObject): void {
    const { out } = this;
    if (sessionId === undefined) out.record(undefined, describeUnknown(update));
    else readUpdate(out.sessions.of(sessionId), update, out);
    reportProgress(sessionId, out);
  }

  /** A `$/cancel_request` belongs to the session of its request. */
  private requestNamedIn(event: WireMessage, params: unknown): OpenRequest | undefined {
    const id = requestIdOf(objectOf(params)['requestId']);
    return id === undefined ? undefined : this.requests.get(event.dir === 'c2a' ? 'out' : 'in', id);
  }

  private acceptSessionEnd(event: WireMessage, sessionId: string | undefined, params: unknown): void {
    if (sessionId !== undefined) {
      this.out.interrupt(sessionId);
      this.endSession(sessionId, event.t);
    }
    this.record(event, describeTermination(sessionTermination(params)), sessionId);
  }

  private endSession(sessionId: string, at: number): void {
    // The prompt of a running turn is still answered, with `cancelled`.
    this.requests.outdate(sessionId, 'session/prompt');
    this.sink.session({ type: 'ended', sessionId, at });
    for (const { id } of this.out.sessions.below(sessionId)) this.sink.session({ type: 'ended', sessionId: id, at });
  }

  protected override closed(request: OpenRequest): void {
    const { id, direction, sessionId } = request;
    if (direction === 'out' && sessionId !== undefined) this.out.sessions.get(sessionId)?.prompts.end(id);
    super.closed(request);
  }
}
