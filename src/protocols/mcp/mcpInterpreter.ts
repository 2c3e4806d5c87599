import type { ByteChunk } from '../../log/byteChunk';
import { oneLine } from '../../log/text';
import type { WireEvent, WireMessage, WireProcessEvent } from '../../wire/wireEvent';
import type { ErrorParts, ExchangeText } from '../exchangeText';
import { errorParts, exchangeRecord } from '../exchangeText';
import type { Interpreter, InterpreterSink } from '../interpreter';
import type { JsonObject, RequestId } from '../json';
import { objectOf, requestIdOf, textOf } from '../json';
import type { JsonRpcMessage } from '../jsonRpc';
import { describeStray, junkRecord, readJsonRpc } from '../jsonRpc';
import { describeHttp } from '../lifecycle';
import { LifecycleReader } from '../lifecycleReader';
import type { LogLine } from '../logLine/logLine';
import { LogLineReader } from '../logLine/logLineReader';
import type { OpenRequest } from '../openRequests';
import { StderrGroups } from '../stderr/stderrGroups';
import {
  describeCall,
  describeCancelled,
  describeError,
  describeFailure,
  describeRefusal,
  describeResult,
  describeUnanswered,
} from './exchange';
import { Handshake } from './handshake';
import { LevelAnswers } from './levelAnswers';
import { logForm, logRecord } from './logMessage';
import type { Ending } from './mcpRequests';
import { McpRequests } from './mcpRequests';
import { describeNotification } from './notification';
import { ProgressReader } from './progress';
import { describeAsk, describeInputRequests, describeReply } from './serverAsks';
import { loggerOf, notedOf, progressTokenOf, withSubject } from './subject';

type JsonRpcRequest = Extract<JsonRpcMessage, { type: 'request' }>;
type JsonRpcResponse = Extract<JsonRpcMessage, { type: 'response' }>;

const lateAnswers: Readonly<Record<Ending, string>> = {
  answered: 'answered once more',
  cancelled: 'answered after it was cancelled',
  failed: 'answered after it had failed',
};

/**
 * Reads the Model Context Protocol (modelcontextprotocol.io), versions 2024-11-05 to 2025-11-25, and 2026-07-28, which is stateless. MCP
 * has no sessions that a person would know: everything belongs to the connection.
 */
export class McpInterpreter implements Interpreter {
  private readonly requests = new McpRequests();
  private readonly progress = new ProgressReader(this.requests);
  private readonly handshake = new Handshake();
  private readonly levels = new LevelAnswers();
  private readonly stderr: StderrGroups;
  private readonly logLines = new LogLineReader(logForm);
  private readonly lifecycle: LifecycleReader;
  private looseIdTold = false;

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
        for (const message of readJsonRpc(event, 'MCP has one JSON-RPC message to a line')) {
          this.acceptMessage(event, message);
        }
    }
  }

  readLog(chunk: ByteChunk, start: number, end: number, t: number): LogLine | undefined {
    return this.sink.lineRecord && this.logLines.read(chunk, start, end, t);
  }

  acceptLog(line: LogLine): void {
    this.stderr.complete();
    this.sink.lineRecord?.(line);
  }

  quiet(t: number): void {
    this.stderr.quiet(t);
  }

  get isWaiting(): boolean {
    return this.stderr.isWaiting;
  }

  private acceptProcessEvent(event: WireProcessEvent): void {
    if (!this.lifecycle.accept(event, (told) => this.acceptFailedExchange(told))) return;
    for (const request of this.requests.takeAll()) {
      this.close(request);
      const text = describeUnanswered(request, event.t - request.startedAt, this.lifecycle.askedToEnd);
      this.sink.record(exchangeRecord(undefined, event.t, undefined, text));
    }
  }

  /** Over HTTP a request may end without a message that says so. Answers whether one has. */
  private acceptFailedExchange(event: WireProcessEvent): boolean {
    if (event.ev === 'http' && event.requestId !== undefined) {
      const request = this.requests.fail(event.requestId);
      return this.endExchange(event.t, request, (failed, ms) =>
        describeFailure(failed, describeHttp(event), ms, this.lifecycle.askedToEnd),
      );
    }
    if (event.ev === 'stream-close' && event.cancels !== undefined) {
      const request = this.requests.cancel('c2a', event.cancels);
      return this.endExchange(event.t, request, (cancelled, ms) =>
        describeCancelled(cancelled, event.message, ms, 'client'),
      );
    }
    return false;
  }

  private endExchange(
    t: number,
    request: OpenRequest | undefined,
    describe: (request: OpenRequest, ms: number) => ExchangeText,
  ): boolean {
    if (!request) return false;
    this.close(request);
    this.sink.record(exchangeRecord(undefined, t, undefined, describe(request, t - request.startedAt)));
    return true;
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
    const progressToken = progressTokenOf(params);
    const request: OpenRequest = {
      id,
      method,
      direction: event.dir === 'c2a' ? 'out' : 'in',
      startedAt: event.t,
      noted: notedOf(params),
      ...(progressToken !== undefined && { progressToken }),
    };
    const displaced = this.requests.add(request);
    if (displaced) this.close(displaced);
    this.sink.request({ type: 'opened', request });
    if (request.direction === 'in') return this.tell(event, describeAsk(method, params));
    this.tell(event, this.handshake.asked(params));
    this.tell(event, describeCall(request, params));
  }

  private acceptResponse(event: WireMessage, { id: given, fields }: JsonRpcResponse): void {
    const id = requestIdOf(given);
    const request = id === undefined ? undefined : this.requests.answer(event.dir, id);
    if (id === undefined || !request) return this.acceptStray(event, given, fields);
    this.close(request);
    if (request.id !== id) this.tellLooseId(event, request.id, id);
    const ms = event.t - request.startedAt;
    const { error, result } = fields;
    if (error !== undefined && error !== null) this.acceptError(event, request, errorParts(error), ms);
    else if (request.direction === 'in') this.tell(event, describeReply(request, result, ms));
    else this.acceptResult(event, request, result, ms);
  }

  private acceptError(event: WireMessage, request: OpenRequest, parts: ErrorParts, ms: number): void {
    if (request.direction === 'in') return this.tell(event, describeRefusal(request, parts, ms));
    if (request.method === 'logging/setLevel') {
      return this.tell(event, this.levels.refused(request, parts, this.handshake.promisesSetLevel));
    }
    this.tell(event, describeError(request, parts, ms));
  }

  private acceptResult(event: WireMessage, request: OpenRequest, result: unknown, ms: number): void {
    const fields = objectOf(result);
    switch (request.method) {
      case 'initialize':
        return this.tell(event, this.handshake.initialized(request, fields, ms));
      case 'server/discover':
        return this.tell(event, this.handshake.discovered(request, fields, ms));
      case 'logging/setLevel':
        return this.tell(event, this.levels.accepted(request, ms));
    }
    this.tell(event, this.handshake.answered(request, fields));
    this.tell(event, describeResult(request, result, ms));
    if (fields['resultType'] !== 'input_required') return;
    for (const text of describeInputRequests(fields)) this.tell(event, text);
  }

  /** An answer to what is not open. One that comes late is no fault: it had been sent already. */
  private acceptStray(event: WireMessage, given: unknown, fields: JsonObject): void {
    const id = requestIdOf(given);
    const closed = id === undefined ? undefined : this.requests.lately(event.dir, id);
    if (!closed) return this.sink.record(junkRecord(event, describeStray(fields, given)));
    const { request, ending } = closed;
    const message = withSubject(request, lateAnswers[ending]);
    this.tell(event, { level: 'info', logger: loggerOf(request), message });
  }

  private acceptNotification(event: WireMessage, method: string, params: unknown): void {
    switch (method) {
      case 'notifications/message':
        if (event.dir === 'a2c') return this.sink.record(logRecord(params, event.t, event.line));
        break;
      case 'notifications/progress':
        return this.acceptProgress(event, params);
      case 'notifications/cancelled':
        return this.acceptCancelled(event, objectOf(params));
    }
    this.tell(event, describeNotification(method, params));
  }

  private acceptProgress(event: WireMessage, params: unknown): void {
    const { request, texts } = this.progress.accept(event, params);
    if (request) this.sink.request({ type: 'progress', request });
    for (const text of texts) this.tell(event, text);
  }

  /** Whoever cancels a request wants, or gives, no answer to it: it is over. */
  private acceptCancelled(event: WireMessage, params: JsonObject): void {
    const id = requestIdOf(params['requestId']);
    const request = id === undefined ? undefined : this.requests.cancel(event.dir, id);
    const reason = textOf(params['reason']);
    if (!request) {
      const why = reason === undefined ? '' : `: ${oneLine(reason, 500)}`;
      const message = `request ${oneLine(String(id ?? '(no id)'), 60)} is cancelled, which is not open${why}`;
      return this.tell(event, { level: 'debug', logger: 'notifications/cancelled', message });
    }
    this.close(request);
    const by = event.dir === 'c2a' ? 'client' : 'server';
    this.tell(event, describeCancelled(request, reason, event.t - request.startedAt, by));
  }

  private tellLooseId(event: WireMessage, asked: RequestId, given: RequestId): void {
    if (this.looseIdTold) return;
    this.looseIdTold = true;
    const message = `an id came back as another type, which is told of once: ${JSON.stringify(asked)} as ${JSON.stringify(given)}`;
    this.tell(event, { level: 'debug', logger: 'JSON-RPC', message });
  }

  private close(request: OpenRequest): void {
    this.progress.forget(request);
    this.sink.request({ type: 'closed', request });
  }

  private tell(event: WireMessage, text: ExchangeText | undefined): void {
    if (text) this.sink.record(exchangeRecord(undefined, event.t, event.line, text));
  }
}
