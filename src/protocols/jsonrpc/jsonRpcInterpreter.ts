import type { FileChange } from '../../work/changes/fileChange';
import type { Level } from '../../text/level';
import type { WireEvent, WireMessage, WireProcessEvent } from '../../wire/wireEvent';
import type { ClosedFact } from '../../work/facts';
import { EventReader, batchOf, describeLeft } from '../eventReader';
import type { ReaderContext } from '../interpreter';
import type { JsonObject } from '../../text/json';
import { objectOf, requestIdOf } from '../../text/json';
import type { LogLine } from '../logLine/logLine';
import type { LogForm } from '../logLine/logLineReader';
import { LogLineReader } from '../logLine/logLineReader';
import type { ExchangeText } from './exchangeText';
import { exchangeRecord, unansweredText } from './exchangeText';
import type { JsonRpcMessage, StrayResponse } from './message';
import { describeStray, junkRecord, readJsonRpc } from './message';
import type { ClosedRequest, OpenRequest, Requests } from '../../work/requests';
import type { MethodRole } from '../../work/methodRole';
import type { RpcError } from '../../work/rpcError';
import { rpcError } from '../../work/rpcError';

type Incoming<T extends JsonRpcMessage['type']> = Extract<JsonRpcMessage, { type: T }>;

/** How a protocol uses JSON-RPC. */
export interface JsonRpcForm {
  /** What a line should hold, for the record about one that doesn't. */
  readonly expected: string;
  /** What its methods are for, as far as anything depends on it. */
  readonly methods?: ReadonlyMap<string, MethodRole>;
  /** See `Requests`. */
  readonly hasLooseIds?: boolean;
  /** The form of log notifications, which are then read from their bytes. */
  readonly logForm?: LogForm;
}

/** A response, which has either a result or an error. */
export interface Answer {
  readonly result: unknown;
  readonly error: RpcError | undefined;
}

/** What a protocol remembers of a request until its answer comes. */
export type RequestDetails = Partial<
  Pick<OpenRequest, 'sessionId' | 'noted' | 'progressToken' | 'isOptional' | 'isToolCall' | 'taskId'>
>;

/**
 * Reads a protocol on JSON-RPC: pairs requests with responses, reports what is open, and yields the facts that all of them share. The
 * protocol's own reader describes its messages.
 */
export abstract class JsonRpcInterpreter extends EventReader {
  protected readonly requests: Requests;
  private readonly logLines: LogLineReader | undefined;

  protected constructor(
    context: ReaderContext,
    private readonly form: JsonRpcForm,
  ) {
    super(context);
    this.requests = context.work.requests;
    this.requests.hasLooseIds = form.hasLooseIds ?? false;
    this.logLines = form.logForm && new LogLineReader(form.logForm);
  }

  override accept(event: WireEvent, log = event.dir === 'a2c' ? this.readLog(event) : undefined): void {
    if (log && this.sink.needsFact?.(log) !== true) this.acceptLog(log);
    else super.accept(event);
  }

  readLog(line: WireMessage): LogLine | undefined {
    return line.dir === 'a2c' && this.sink.takesLines === true ? this.logLines?.read(line) : undefined;
  }

  /** A log message that needn't be parsed. */
  protected acceptLog(line: LogLine): void {
    this.quiet(line.receivedAt);
    this.stderr.complete();
    // A session that logs isn't silent.
    this.work.heard(line.sessionId, line.receivedAt);
    this.sink.record(line);
  }

  /** What to remember of a request. */
  protected abstract detailsOf(
    method: string,
    params: unknown,
    t: number,
    direction: OpenRequest['direction'],
  ): RequestDetails;
  /** Whether the work of a request is a step of another kind: a turn, a tool call or a question. */
  protected isOtherStep(_method: string): boolean {
    return false;
  }

  /** The files that a request changes if it succeeds. */
  protected changesOf(_method: string, _params: JsonObject): readonly FileChange[] | undefined {
    return undefined;
  }

  /** A request was sent. */
  protected abstract acceptRequest(event: WireMessage, request: OpenRequest, params: unknown): void;
  protected abstract acceptNotification(event: WireMessage, method: string, params: unknown): void;
  /** A request was answered with a result, and is closed. */
  protected abstract acceptResult(event: WireMessage, request: OpenRequest, result: unknown, ms: number): void;
  /** A request was answered with an error, and is closed. */
  protected abstract acceptError(event: WireMessage, request: OpenRequest, error: RpcError, ms: number): void;
  /** The level at which a lost answer is reported. */
  protected abstract lossLevel(request: OpenRequest): Level;

  protected loggerOf(request: OpenRequest): string {
    return request.method;
  }

  /** The session that parameters or a result name. */
  protected sessionOf(_fields: JsonObject, _t: number): string | undefined {
    return undefined;
  }

  /** Whether the agent repeats what happened in this session before. */
  protected isHistory(_sessionId: string | undefined): boolean {
    return false;
  }

  /** A response to an open request. */
  protected acceptAnswer(event: WireMessage, request: OpenRequest, { result, error }: Answer): void {
    this.closed(request);
    const ms = event.t - request.startedAt;
    if (error) this.acceptError(event, request, error, ms);
    else this.acceptResult(event, request, result, ms);
  }

  /** @param _late the request with this id that was over already */
  protected acceptStray(event: WireMessage, response: StrayResponse, _late?: ClosedRequest): void {
    this.sink.record(junkRecord(event, describeStray(response)));
  }

  /** Whether a request that was answered goes on. Asked once, before the answer is described. */
  protected goesOn(_request: OpenRequest, _answer: Answer): boolean {
    return false;
  }

  /** What the record of a request says that the connection left open. */
  protected describeUnanswered(request: OpenRequest, ms: number): string {
    return unansweredText(request, ms);
  }

  /** Called for each request that is over. */
  protected closed(_request: OpenRequest): void {
    // Only its protocol remembers more about it.
  }

  /** A request ended without a response. @param error of its task */
  protected endedBy(event: ClosedFact['event'], request: OpenRequest, how: ClosedFact['how'], error?: RpcError): void {
    this.closed(request);
    this.say({ type: 'closed', event, request, how, error });
  }

  protected record(event: WireMessage, text: ExchangeText | undefined, sessionId?: string): void {
    if (text) this.sink.record(exchangeRecord(sessionId, event.t, event.line, text));
  }

  protected override acceptEnd(event: WireProcessEvent): void {
    for (const request of this.requests.all) {
      this.closed(request);
      if (request.kind !== undefined) continue;
      const ms = event.t - request.startedAt;
      const level = this.askedToEnd || request.direction === 'in' ? 'info' : this.lossLevel(request);
      const text = { level, logger: this.loggerOf(request), message: this.describeUnanswered(request, ms) };
      this.sink.record(exchangeRecord(request.sessionId, event.t, undefined, text));
    }
  }

  protected override acceptLine(event: WireMessage): void {
    const batch = batchOf(event);
    if (!batch) return this.acceptMessage(event);
    this.say({ type: 'junk', event, dir: event.dir, why: 'batch' });
    if (batch.messages.length === 0) return this.acceptMessage(event);
    for (const message of batch.messages) this.acceptMessage(message);
    if (batch.left > 0) this.sink.record(junkRecord(event, describeLeft(batch.left)));
  }

  private acceptMessage(event: WireMessage): void {
    const message = readJsonRpc(event, this.form.expected);
    switch (message.type) {
      case 'request':
        return this.openRequest(event, message);
      case 'notification':
        return this.notified(event, message);
      case 'response':
        return this.answered(event, message);
      case 'junk':
        this.sink.record(junkRecord(event, message.message));
        if (message.why !== undefined) this.say({ type: 'junk', event, dir: event.dir, why: message.why });
    }
  }

  private openRequest(event: WireMessage, { id, method, params, fields }: Incoming<'request'>): void {
    const { dir, t } = event;
    const direction = dir === 'c2a' ? 'out' : 'in';
    const isIdInUse = this.requests.isOpen(direction, id);
    const request: OpenRequest = {
      id,
      method,
      role: this.form.methods?.get(method),
      direction,
      startedAt: t,
      ...this.detailsOf(method, params, t, direction),
    };
    const changes = this.changesOf(method, objectOf(params));
    const displaced = this.requests.add(request);
    if (displaced) this.closed(displaced);
    this.say({
      type: 'request',
      event,
      dir,
      msg: fields,
      request,
      params: objectOf(params),
      isIdInUse,
      isOtherStep: this.isOtherStep(method),
      ...(changes && { changes }),
    });
    this.acceptRequest(event, request, params);
  }

  private notified(event: WireMessage, { method, params, fields }: Incoming<'notification'>): void {
    const { dir, t } = event;
    const sessionId = this.sessionOf(objectOf(params), t);
    const isHistory = this.isHistory(sessionId);
    this.say({
      type: 'notification',
      event,
      dir,
      msg: fields,
      method,
      role: this.form.methods?.get(method),
      params: objectOf(params),
      sessionId,
      isHistory,
    });
    this.acceptNotification(event, method, params);
  }

  private answered(event: WireMessage, message: Incoming<'response'>): void {
    const { dir, t } = event;
    const { fields } = message;
    const id = requestIdOf(message.id);
    const request = id === undefined ? undefined : this.requests.answer(dir, id, t);
    const late = request || id === undefined ? undefined : this.requests.closedBefore(dir === 'a2c' ? 'out' : 'in', id);
    const { result } = fields;
    const error = rpcError(fields['error']);
    this.say({
      type: 'response',
      event,
      dir,
      msg: fields,
      id,
      request,
      late,
      result,
      error,
      sessionId: request?.sessionId ?? this.sessionOf(objectOf(result), t),
      ...(request && this.goesOn(request, { result, error }) && { isAccepted: true }),
    });
    if (request) this.acceptAnswer(event, request, { result, error });
    else this.acceptStray(event, { id: message.id, error }, late);
  }
}
