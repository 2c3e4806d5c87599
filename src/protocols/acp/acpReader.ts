import type { Level } from '../../text/level';
import type { RecordDraft } from '../../text/record';
import type { WireMessage, WireProcessEvent } from '../../wire/wireEvent';
import { Facts } from '../facts';
import type { ReaderContext } from '../interpreter';
import { isBeginning } from '../lifecycle';
import type { JsonObject } from '../../text/json';
import { isObject, objectOf, requestIdOf } from '../../text/json';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import type { Answer, RequestDetails } from '../jsonrpc/jsonRpcInterpreter';
import { JsonRpcInterpreter } from '../jsonrpc/jsonRpcInterpreter';
import type { OpenRequest } from '../../work/requests';
import type { RpcError } from '../../work/rpcError';
import type { LogLine } from '../logLine/logLine';
import { Messages } from './messages';
import { modelOf } from './sessionModes';
import { Questions } from './questions';
import { ToolCalls } from './toolCalls';
import { describeError, describeRequest, describeResult, loggerOf, notedOf, describeNotification } from './exchange';
import { isLogMethod, logForm, logRecord } from './logMessage';
import { Background } from './background';
import { closesSession, SessionChanges } from './sessionChanges';
import { AcpSessions, Replays } from './session';
import { SessionIds } from '../sessionIds';
import { Subagents } from './subagents';
import { SubagentUpdates } from './subagentUpdates';
import type { TurnAnswer } from './turns';
import { Turns } from './turns';
import { Updates } from './updates';
import { describeEnd, describeTermination, sessionEndedMethod, sessionTermination } from './words';
import type { AcpExtensions } from './extension';
import { AcpWriter } from './writer';

const accepted: ExchangeText = { level: 'debug', logger: 'turn', message: 'accepted' };
const acceptedBefore: ExchangeText = { level: 'debug', logger: 'turn', message: 'accepted before: a retry' };

/** If one of these requests succeeds, the session is usable. */
const resuming = new Set(['session/load', 'session/resume', 'session/prompt']);

/** Requests that are turns or questions. */
const otherSteps = new Set(['session/prompt', 'session/request_permission', 'elicitation/create']);

/** Reads the Agent Client Protocol (agentclientprotocol.com), versions 1 and 2. */
export class AcpReader extends JsonRpcInterpreter {
  private readonly ids: SessionIds;
  private readonly changes: SessionChanges;
  private readonly out: AcpWriter;
  private readonly subagents = new Subagents();
  private readonly sessions = new AcpSessions();
  private readonly replays = new Replays(this.sessions, this.subagents);
  private readonly background = new Background(this.sessions, this.subagents, (sessionId, item) =>
    this.updates.nameOfWork(sessionId, item),
  );
  private readonly turns: Turns;
  private readonly updates: Updates;
  private readonly messages: Messages;
  private readonly questions: Questions;
  /** What the latest answer means for its prompt. */
  private answer: TurnAnswer | undefined;
  /** Whether the process has answered `initialize`, so that a repeated one adds nothing and may fail. */
  private isGreeted = false;

  constructor(
    context: ReaderContext,
    private readonly extensions: AcpExtensions,
  ) {
    super(context, { expected: 'ACP has one JSON-RPC message to a line', logForm });
    const { sink } = context;
    this.out = new AcpWriter(sink, new Facts(sink, context.work));
    this.changes = new SessionChanges(this.sessions, sink);
    this.ids = new SessionIds((sessionId, at) => sink.session({ type: 'seen', sessionId, at }));
    const { out, work, requests, replays, ids, sessions, changes, subagents, background } = this;
    this.turns = new Turns({
      out,
      extensions,
      sessions,
      work,
      requests,
      subagents,
      background,
      closed: (request) => this.closed(request),
    });
    this.messages = new Messages((draft) => this.earlier(draft), out, sessions);
    this.questions = new Questions(out, () => this.turns.isVersion2);
    this.updates = new Updates({
      out,
      changes,
      replays,
      turns: this.turns,
      subagents: new SubagentUpdates(out, sink, ids, sessions, subagents, this.turns),
      messages: this.messages,
      calls: new ToolCalls(sessions, out, extensions),
      extensions,
      sessions,
      questions: this.questions,
    });
  }

  protected override acceptLog(line: LogLine): void {
    if (line.sessionId !== undefined) line.sessionId = this.ids.file(line.sessionId, line.receivedAt);
    super.acceptLog(line);
  }

  override quiet(t: number): void {
    super.quiet(t);
    this.messages.quiet(t);
  }

  override get isWaiting(): boolean {
    return super.isWaiting || this.messages.isWaiting;
  }

  protected override sessionOf(fields: JsonObject, t: number): string | undefined {
    return this.ids.of(fields, t);
  }

  protected override isHistory(sessionId: string | undefined): boolean {
    return this.replays.isReplaying(sessionId);
  }

  /** Attributes a line that names a session to it, and shortens the ID. */
  protected override stderrRecord(draft: RecordDraft): RecordDraft {
    // Agents that can't change their level complain when asked, which is expected.
    const isOurs = draft.message.includes('logging/setLevel') && draft.message.includes('-32601');
    return this.ids.attribute(isOurs ? { ...draft, level: 'debug' } : draft);
  }

  protected override acceptConnectionEvent(event: WireProcessEvent): boolean {
    if (isBeginning(event)) this.isGreeted = false;
    this.messages.interruptAll();
    return false;
  }

  protected override acceptEnd(event: WireProcessEvent): void {
    super.acceptEnd(event);
    // Another process may follow in the same log.
    this.sessions.clear();
    this.questions.clear();
    this.subagents.clearStates();
  }

  protected override lossLevel({ method, isOptional }: OpenRequest): Level {
    if (isOptional === true) return 'info';
    return method === 'session/prompt' ? 'error' : 'warning';
  }

  protected override loggerOf(request: OpenRequest): string {
    return loggerOf(request);
  }

  protected override detailsOf(method: string, params: unknown, t: number): RequestDetails {
    const sessionId = this.ids.of(objectOf(params), t);
    if (method === 'initialize' && this.isGreeted) return { noted: { isProbe: true }, isOptional: true };
    return { ...(sessionId !== undefined && { sessionId }), noted: notedOf(method, params) };
  }

  protected override isOtherStep(method: string): boolean {
    return otherSteps.has(method);
  }

  protected override acceptRequest(event: WireMessage, request: OpenRequest, params: unknown): void {
    const { method, sessionId, direction } = request;
    this.out.begin(event);
    if (method === 'session/prompt' || method === 'session/request_permission') this.messages.interrupt(sessionId);
    this.replays.begin(request);
    const fields = objectOf(params);
    const isRetry = direction === 'out' && this.turns.requested(request, fields);
    if (method === 'session/prompt' && sessionId !== undefined && direction === 'out') {
      this.changes.prompted(sessionId, this.sessions.of(sessionId).prompts.textOf(request.id));
    }
    if (method === 'terminal/cancel') this.background.cancel(sessionId, fields['terminalId']);
    if (direction === 'in') {
      this.turns.bracketed(method, sessionId, fields);
      this.questions.asked(request, fields);
    }
    const text = describeRequest(request, params, this.askerOf(sessionId));
    this.record(event, isRetry && text ? { ...text, message: `sent again: ${text.message}` } : text, sessionId);
  }

  protected override goesOn(request: OpenRequest, answer: Answer): boolean {
    this.answer = request.direction === 'out' ? this.turns.answered(request, answer) : undefined;
    return this.answer === 'running';
  }

  protected override acceptAnswer(event: WireMessage, request: OpenRequest, response: Answer): void {
    this.out.begin(event);
    if (request.direction === 'in') this.questions.answered(request, response);
    const { answer } = this;
    if (request.direction === 'out') this.turns.settled(request, response, answer);
    if (answer === 'running') {
      const dropped = this.requests.accept(request);
      if (dropped) this.closed(dropped);
      return this.record(event, accepted, request.sessionId);
    }
    if (!answer || answer === 'ends-turn') return super.acceptAnswer(event, request, response);
    this.closed(request);
    const text = answer === 'repeated' ? acceptedBefore : describeEnd(answer.ended, event.t - request.startedAt);
    this.record(event, text, request.sessionId);
  }

  protected override acceptError(event: WireMessage, request: OpenRequest, error: RpcError, ms: number): void {
    this.messages.interrupt(request.sessionId);
    this.replays.end(request);
    this.record(event, describeError(request, error, ms), request.sessionId);
  }

  protected override acceptResult(event: WireMessage, request: OpenRequest, result: unknown, ms: number): void {
    const sessionId = this.sessionOfResult(request, objectOf(result), event.t);
    if (request.method === 'initialize') this.isGreeted = true;
    if (request.method === 'session/prompt') this.messages.interrupt(sessionId);
    this.record(event, describeResult(request, result, ms, this.replays.end(request)), sessionId);
    if (sessionId === undefined || request.direction === 'in') return;
    if (request.method === 'session/new') this.turns.created(sessionId);
    this.changes.opened(sessionId, objectOf(result));
    this.updates.using(sessionId, modelOf(objectOf(result)));
    if (request.method === 'session/set_mode') this.changes.mode(sessionId, objectOf(request.noted)['modeId']);
    if (request.method === 'session/set_config_option') this.changes.options(sessionId, objectOf(result));
    if (closesSession(request.method)) this.endSession(sessionId, event.t);
    else if (resuming.has(request.method) && request.isOutdated !== true) {
      this.sink.session({ type: 'resumed', sessionId, at: event.t });
    }
  }

  /** `session/fork` names the old session in the request and the new one in the response. */
  private sessionOfResult({ method, sessionId }: OpenRequest, result: JsonObject, at: number): string | undefined {
    const named = method === 'session/fork' || sessionId === undefined ? this.ids.of(result, at) : undefined;
    return named ?? sessionId;
  }

  protected override acceptNotification(event: WireMessage, method: string, params: unknown): void {
    if (event.dir === 'a2c' && isLogMethod(method)) {
      const draft = logRecord(params, event.t, event.line);
      if (draft.sessionId !== undefined) draft.sessionId = this.ids.file(draft.sessionId, event.t);
      return this.sink.record(draft);
    }
    const fields = objectOf(params);
    const sessionId = this.ids.of(fields, event.t);
    this.out.begin(event);
    if (event.dir === 'a2c') {
      if (method === sessionEndedMethod) return this.acceptSessionEnd(event, sessionId, params);
      if (method === 'session/update' && isObject(fields['update'])) {
        this.updates.accept(sessionId, fields['update']);
        return this.turns.progressed(sessionId);
      }
      this.turns.bracketed(method, sessionId, fields);
      const report = this.extensions.first((extension) => extension.reportOf?.(method, fields));
      if (report && !this.isHistory(sessionId)) this.out.fact(sessionId, report);
    }
    if (method === 'session/cancel') this.messages.interrupt(sessionId);
    const cancelled = method === '$/cancel_request' ? this.requestNamedIn(event, params) : undefined;
    if (event.dir === 'c2a' && method === 'session/cancel') this.turns.cancelled(sessionId);
    if (cancelled?.direction === 'out') this.turns.requestCancelled(cancelled, method);
    else if (cancelled) this.questions.withdrawn(cancelled);
    const text = describeNotification(method, params, cancelled, event.t);
    this.record(event, text, cancelled?.sessionId ?? sessionId);
  }

  /** A `$/cancel_request` belongs to the session of its request. */
  private requestNamedIn(event: WireMessage, params: unknown): OpenRequest | undefined {
    const id = requestIdOf(objectOf(params)['requestId']);
    return id === undefined ? undefined : this.requests.get(event.dir === 'c2a' ? 'out' : 'in', id);
  }

  private acceptSessionEnd(event: WireMessage, sessionId: string | undefined, params: unknown): void {
    if (sessionId !== undefined) {
      this.messages.interrupt(sessionId);
      this.endSession(sessionId, event.t);
    }
    this.record(event, describeTermination(sessionTermination(params)), sessionId);
  }

  private endSession(sessionId: string, at: number): void {
    // The prompt of a running turn is still answered, with `cancelled`.
    this.requests.outdate(sessionId, 'session/prompt');
    this.sink.session({ type: 'ended', sessionId, at });
    for (const { id } of this.subagents.below(sessionId)) this.sink.session({ type: 'ended', sessionId: id, at });
  }

  /** The name of the subagent that asks, if it is one. */
  private askerOf(sessionId: string | undefined): string | undefined {
    const child = this.subagents.get(sessionId);
    return child && `subagent ${this.subagents.nameOf(child.id)}`;
  }

  protected override closed(request: OpenRequest): void {
    const { id, direction, sessionId } = request;
    if (direction === 'out' && sessionId !== undefined) this.sessions.get(sessionId)?.prompts.end(id);
    super.closed(request);
  }
}
