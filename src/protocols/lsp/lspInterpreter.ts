import type { RecordDraft } from '../../log/record';
import type { WireEvent, WireMessage, WireProcessEvent } from '../../wire/wireEvent';
import type { ExchangeText } from '../exchangeText';
import { errorParts, exchangeRecord } from '../exchangeText';
import type { Interpreter, InterpreterSink } from '../interpreter';
import type { JsonObject } from '../json';
import { objectOf, requestIdOf } from '../json';
import type { JsonRpcMessage } from '../jsonRpc';
import { describeStray, junkRecord, readJsonRpc } from '../jsonRpc';
import { LifecycleReader } from '../lifecycleReader';
import type { OpenRequest } from '../openRequests';
import { OpenRequests } from '../openRequests';
import { StderrGroups } from '../stderr/stderrGroups';
import { describeError, describeRefusal, describeResult, describeUnanswered } from './exchange';
import { logRecord, shownRecord, telemetryRecord, traceRecord } from './logMessage';
import { describeNotification } from './notification';
import { describeAsk, describeReply } from './serverAsks';
import { ServerStatus } from './serverStatus';
import { subjectOfParams, withSubject } from './subject';
import type { ProgressOutcome } from './workProgress';
import { WorkProgress } from './workProgress';

type JsonRpcRequest = Extract<JsonRpcMessage, { type: 'request' }>;
type JsonRpcResponse = Extract<JsonRpcMessage, { type: 'response' }>;

/** What a server sends for the log, by method. */
const logReaders: ReadonlyMap<string, (params: unknown) => Omit<RecordDraft, 'receivedAt' | 'raw'>> = new Map([
  ['window/logMessage', logRecord],
  ['window/showMessage', shownRecord],
  ['$/logTrace', traceRecord],
  ['telemetry/event', telemetryRecord],
]);

/**
 * Reads the Language Server Protocol (LSP 3.18), with what known servers add to it. It has no sessions: everything belongs to the
 * connection. Between an editor and its server (the tap) documents cross, too; their text is left out.
 */
export class LspInterpreter implements Interpreter {
  private readonly requests = new OpenRequests();
  private readonly work = new WorkProgress();
  private readonly status = new ServerStatus();
  private readonly stderr: StderrGroups;
  private readonly lifecycle: LifecycleReader;

  constructor(private readonly sink: InterpreterSink) {
    this.lifecycle = new LifecycleReader((draft) => sink.record(draft));
    this.stderr = new StderrGroups((draft) => sink.record(draft));
  }

  accept(event: WireEvent): void {
    // A dump is written at once: what comes between is no part of it, and records stay in order.
    if (event.dir !== 'err') this.stderr.complete();
    switch (event.dir) {
      case 'ev':
        return this.acceptProcessEvent(event);
      case 'err':
        return this.stderr.add(event);
      default:
        for (const message of readJsonRpc(event, 'LSP has a Content-Length and JSON')) {
          this.acceptMessage(event, message);
        }
    }
  }

  quiet(t: number): void {
    this.stderr.quiet(t);
  }

  get isWaiting(): boolean {
    return this.stderr.isWaiting;
  }

  private acceptProcessEvent(event: WireProcessEvent): void {
    if (!this.lifecycle.accept(event)) return;
    for (const request of this.requests.takeAll()) {
      this.sink.request({ type: 'closed', request });
      const text = describeUnanswered(request, event.t - request.startedAt, this.lifecycle.askedToEnd);
      this.sink.record(exchangeRecord(undefined, event.t, undefined, text));
    }
    this.tellWork(event.t, undefined, this.work.takeAll(event.t));
  }

  private acceptMessage(event: WireMessage, message: JsonRpcMessage): void {
    switch (message.type) {
      case 'request':
        return this.acceptRequest(event, message);
      case 'notification':
        return this.acceptNotification(event, message.method, message.params);
      case 'response':
        return this.acceptResponse(event, message);
      case 'junk':
        return this.sink.record(junkRecord(event, message.message));
    }
  }

  private acceptRequest(event: WireMessage, { id, method, params }: JsonRpcRequest): void {
    const subject = subjectOfParams(params);
    const request: OpenRequest = {
      id,
      method,
      direction: event.dir === 'c2a' ? 'out' : 'in',
      startedAt: event.t,
      ...(subject !== undefined && { noted: subject }),
    };
    const displaced = this.requests.add(request);
    if (displaced) this.sink.request({ type: 'closed', request: displaced });
    this.sink.request({ type: 'opened', request });
    if (request.direction === 'in') this.tell(event, describeAsk(method, params));
    else if (method === 'shutdown') this.lifecycle.askToEnd();
  }

  private acceptResponse(event: WireMessage, { id: given, fields }: JsonRpcResponse): void {
    const id = requestIdOf(given);
    const request = id === undefined ? undefined : this.requests.take(event.dir, id);
    if (!request) return this.sink.record(junkRecord(event, describeStray(fields, given)));
    this.sink.request({ type: 'closed', request });
    this.tell(event, describeAnswer(request, fields, event.t - request.startedAt));
  }

  private acceptNotification(event: WireMessage, method: string, params: unknown): void {
    const read = event.dir === 'a2c' ? logReaders.get(method) : undefined;
    if (read) return this.sink.record({ receivedAt: event.t, ...read(params), raw: event.line });
    switch (method) {
      case '$/progress':
        return this.tellWork(event.t, event.line, this.work.accept(event, params));
      case '$/cancelRequest':
        return this.acceptCancel(event, params);
      case 'window/workDoneProgress/cancel':
        return this.tell(event, this.work.cancelled(params));
      case 'exit':
        this.lifecycle.askToEnd();
        break;
    }
    const statuses = this.status.read(method, params) ?? [describeNotification(method, params)];
    for (const text of statuses) this.tell(event, text);
  }

  /** Whoever cancels a request gets an answer all the same: it stays open (LSP "Cancellation Support"). */
  private acceptCancel(event: WireMessage, params: unknown): void {
    const id = requestIdOf(objectOf(params)['id']);
    const request = id === undefined ? undefined : this.requests.find(event.dir === 'c2a' ? 'out' : 'in', id);
    if (request) {
      return this.tell(event, {
        level: 'info',
        logger: request.method,
        message: withSubject(request, 'cancel asked for'),
      });
    }
    this.tell(event, { level: 'debug', logger: '$/cancelRequest', message: 'of a request that is not open' });
  }

  private tellWork(t: number, raw: string | undefined, outcomes: readonly ProgressOutcome[]): void {
    for (const { change, text } of outcomes) {
      if (change) this.sink.request(change);
      if (text) this.sink.record(exchangeRecord(undefined, t, raw, text));
    }
  }

  private tell(event: WireMessage, text: ExchangeText): void {
    this.sink.record(exchangeRecord(undefined, event.t, event.line, text));
  }
}

function describeAnswer(request: OpenRequest, { error, result }: JsonObject, ms: number): ExchangeText {
  const isOurs = request.direction === 'out';
  if (error !== undefined && error !== null) {
    return isOurs ? describeError(request, errorParts(error), ms) : describeRefusal(request, errorParts(error), ms);
  }
  return isOurs ? describeResult(request, result, ms) : describeReply(request, result, ms);
}
