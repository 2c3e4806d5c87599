import type { Level } from '../../log/level';
import { oneLine } from '../../log/text';
import type { WireMessage, WireProcessEvent } from '../../wire/wireEvent';
import type { ClosedFact, LineFact } from '../../work/facts';
import type { InterpreterSink } from '../interpreter';
import type { JsonObject, RequestId } from '../../log/json';
import { objectOf, requestIdOf, textOf } from '../../log/json';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import { exchangeRecord, withSubject } from '../jsonrpc/exchangeText';
import type { Answer, RequestDetails } from '../jsonrpc/jsonRpcInterpreter';
import { JsonRpcInterpreter } from '../jsonrpc/jsonRpcInterpreter';
import type { StrayResponse } from '../jsonrpc/message';
import type { ClosedRequest, OpenRequest, RequestEnd } from '../../work/requests';
import type { RpcError } from '../../work/rpcError';
import { inEnglish } from '../../log/translator';
import { httpText } from '../lifecycle';
import {
  describeCall,
  describeCancelled,
  describeError,
  describeFailure,
  describeRefusal,
  describeResult,
  describeNotification,
} from './exchange';
import { Handshake } from './handshake';
import { logForm, logRecord } from './logMessage';
import { ProgressReader } from './progress';
import { describeAsk, describeInputRequests, describeReply } from './serverAsks';
import { loggerOf, notedOf, progressTokenOf } from './subject';
import { toolFactOf } from './toolCalls';

const lateAnswers: Readonly<Record<RequestEnd, string>> = {
  answered: 'answered once more',
  cancelled: 'answered after it was cancelled',
  withdrawn: 'answered after it was cancelled',
  failed: 'answered after it had failed',
};

/**
 * Reads the Model Context Protocol (modelcontextprotocol.io), versions 2024-11-05 to 2025-11-25, and 2026-07-28, which is stateless. MCP
 * has no sessions that users know: everything belongs to the connection.
 */
export class McpReader extends JsonRpcInterpreter {
  private readonly progress = new ProgressReader(this.requests);
  private readonly handshake = new Handshake();
  private looseIdTold = false;

  constructor(sink: InterpreterSink) {
    super(sink, { expected: 'MCP has one JSON-RPC message to a line', hasLooseIds: true, logForm });
  }

  protected override lossLevel({ method }: OpenRequest): Level {
    // A subscription gets its response when it ends, with nothing left undone.
    if (method === 'subscriptions/listen') return 'info';
    return method === 'tools/call' ? 'error' : 'warning';
  }

  protected override loggerOf(request: OpenRequest): string {
    return loggerOf(request);
  }

  protected override detailsOf(_method: string, params: unknown): RequestDetails {
    const progressToken = progressTokenOf(params);
    return { noted: notedOf(params), ...(progressToken !== undefined && { progressToken }) };
  }

  protected override acceptRequest(event: WireMessage, request: OpenRequest, params: unknown): void {
    if (request.direction === 'in') return this.record(event, describeAsk(request.method, params));
    this.record(event, this.handshake.asked(params));
    this.record(event, describeCall(request, params));
  }

  protected override acceptAnswer(event: WireMessage, request: OpenRequest, answer: Answer): void {
    const id = requestIdOf(objectOf(event.msg)['id']);
    if (id !== undefined && request.id !== id) this.tellLooseId(event, request.id, id);
    super.acceptAnswer(event, request, answer);
  }

  /** Over HTTP a request may end without a message. */
  protected override acceptConnectionEvent(event: WireProcessEvent): boolean {
    if (event.ev === 'http' && event.requestId !== undefined) {
      const request = this.requests.end('out', event.requestId, 'failed', event.t);
      return this.endExchange(event, request, 'failed', (failed, ms) =>
        describeFailure(failed, inEnglish(httpText(event)), ms, this.askedToEnd),
      );
    }
    if (event.ev === 'stream-close' && event.cancels !== undefined) {
      const request = this.requests.end('out', event.cancels, 'cancelled', event.t);
      return this.endExchange(event, request, 'cancelled', (cancelled, ms) =>
        describeCancelled(cancelled, event.message, ms, 'client'),
      );
    }
    return false;
  }

  private endExchange(
    event: WireProcessEvent,
    request: OpenRequest | undefined,
    how: ClosedFact['how'],
    describe: (request: OpenRequest, ms: number) => ExchangeText,
  ): boolean {
    if (!request) return false;
    this.endedBy(event, request, how);
    this.sink.record(exchangeRecord(undefined, event.t, undefined, describe(request, event.t - request.startedAt)));
    return true;
  }

  protected override acceptFact(fact: LineFact): void {
    const tool = toolFactOf(fact);
    if (tool) this.activity(tool);
  }

  protected override acceptError(event: WireMessage, request: OpenRequest, error: RpcError, ms: number): void {
    if (request.direction === 'in') return this.record(event, describeRefusal(request, error, ms));
    const isLevel = request.method === 'logging/setLevel';
    this.record(event, isLevel ? this.handshake.levelRefused(request, error) : describeError(request, error, ms));
  }

  protected override acceptResult(event: WireMessage, request: OpenRequest, result: unknown, ms: number): void {
    if (request.direction === 'in') return this.record(event, describeReply(request, result, ms));
    const fields = objectOf(result);
    switch (request.method) {
      case 'initialize':
        return this.record(event, this.handshake.initialized(request, fields, ms));
      case 'server/discover':
        return this.record(event, this.handshake.discovered(request, fields, ms));
      case 'logging/setLevel':
        return this.record(event, this.handshake.levelSet(request, ms));
    }
    this.record(event, this.handshake.answered(request, fields));
    this.record(event, describeResult(request, result, ms));
    if (fields['resultType'] !== 'input_required') return;
    for (const text of describeInputRequests(fields)) this.record(event, text);
  }

  /** A late response is fine: it may have crossed the cancellation. */
  protected override acceptStray(event: WireMessage, response: StrayResponse, late?: ClosedRequest): void {
    if (!late) return super.acceptStray(event, response);
    const { request, how } = late;
    this.record(event, { level: 'info', logger: loggerOf(request), message: withSubject(request, lateAnswers[how]) });
  }

  protected override acceptNotification(event: WireMessage, method: string, params: unknown): void {
    switch (method) {
      case 'notifications/message':
        if (event.dir === 'a2c') return this.sink.record(logRecord(params, event.t, event.line));
        break;
      case 'notifications/progress':
        return this.acceptProgress(event, params);
      case 'notifications/cancelled':
        return this.acceptCancelled(event, objectOf(params));
    }
    this.record(event, describeNotification(method, params));
  }

  private acceptProgress(event: WireMessage, params: unknown): void {
    const { request, texts } = this.progress.accept(event, params);
    if (request) this.sink.request({ type: 'progress', request });
    for (const text of texts) this.record(event, text);
  }

  /** A cancelled request gets no response. */
  private acceptCancelled(event: WireMessage, params: JsonObject): void {
    const id = requestIdOf(params['requestId']);
    const closed = id === undefined ? undefined : this.requests.cancel(event.dir, id, event.t);
    const reason = textOf(params['reason']);
    if (!closed) {
      const why = reason === undefined ? '' : `: ${oneLine(reason, 500)}`;
      const message = `request ${oneLine(String(id ?? '(no id)'), 60)} is cancelled, which is not open${why}`;
      return this.record(event, { level: 'debug', logger: 'notifications/cancelled', message });
    }
    const { request, how } = closed;
    this.endedBy(event, request, how);
    const by = event.dir === 'c2a' ? 'client' : 'server';
    this.record(event, describeCancelled(request, reason, event.t - request.startedAt, by));
  }

  private tellLooseId(event: WireMessage, asked: RequestId, given: RequestId): void {
    if (this.looseIdTold) return;
    this.looseIdTold = true;
    const message = `an id came back as another type, which is told of once: ${JSON.stringify(asked)} as ${JSON.stringify(given)}`;
    this.record(event, { level: 'debug', logger: 'JSON-RPC', message });
  }

  protected override closed(request: OpenRequest): void {
    this.progress.forget(request);
    super.closed(request);
  }
}
