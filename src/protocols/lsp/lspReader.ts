import type { Level } from '../../text/level';
import type { WireMessage, WireProcessEvent } from '../../wire/wireEvent';
import type { ReaderContext } from '../interpreter';
import { objectOf, requestIdOf } from '../../text/json';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import { withSubject } from '../jsonrpc/exchangeText';
import type { RequestDetails } from '../jsonrpc/jsonRpcInterpreter';
import { JsonRpcInterpreter } from '../jsonrpc/jsonRpcInterpreter';
import type { OpenRequest } from '../../work/requests';
import type { RpcError } from '../../work/rpcError';
import { describeError, describeRefusal, describeResult, describeNotification } from './exchange';
import { logRecord, shownRecord, telemetryRecord, traceRecord } from './logMessage';
import { describeAsk, describeReply } from './serverAsks';
import { lspMethods } from './methods';
import { ServerStatus } from './serverStatus';
import { subjectOfParams } from './subject';
import { WorkProgress } from './workProgress';

/** Readers of the server's log messages, by method. */
const logReaders: ReadonlyMap<string, (params: unknown) => ExchangeText> = new Map([
  ['window/logMessage', logRecord],
  ['window/showMessage', shownRecord],
  ['$/logTrace', traceRecord],
  ['telemetry/event', telemetryRecord],
]);

/**
 * Reads the Language Server Protocol (LSP 3.18), with extensions of known servers. LSP has no sessions, so everything belongs to the connection.
 * Behind the tap, an editor also sends documents; their text is omitted.
 */
export class LspReader extends JsonRpcInterpreter {
  private readonly workProgress = new WorkProgress(this.sink, this.requests);
  private readonly status = new ServerStatus();
  /** False after text without a header on stdout: vscode-jsonrpc reads nothing behind it (seen in 8.2 and 10.0). */
  private isAudible = true;

  constructor(context: ReaderContext) {
    super(context, { expected: 'LSP has a Content-Length and JSON', methods: lspMethods });
  }

  protected override acceptLine(event: WireMessage): void {
    this.isAudible &&= event.dir === 'c2a' || event.msg !== undefined || event.bytes !== undefined;
    super.acceptLine(event);
  }

  protected override lossLevel({ method }: OpenRequest): Level {
    return method === 'initialize' ? 'error' : 'warning';
  }

  protected override acceptEnd(event: WireProcessEvent): void {
    super.acceptEnd(event);
    this.isAudible = true;
    this.workProgress.endAll(event.t);
  }

  protected override detailsOf(_method: string, params: unknown): RequestDetails {
    const subject = subjectOfParams(params);
    return subject === undefined ? {} : { noted: { subject } };
  }

  protected override acceptRequest(event: WireMessage, { direction, method }: OpenRequest, params: unknown): void {
    if (direction === 'in') this.record(event, describeAsk(method, params));
    else if (method === 'shutdown') this.askedToEnd = true;
  }

  protected override acceptResult(event: WireMessage, request: OpenRequest, result: unknown, ms: number): void {
    const isOut = request.direction === 'out';
    this.record(
      event,
      isOut ? describeResult(request, result, ms, this.isAudible) : describeReply(request, result, ms),
    );
  }

  protected override acceptError(event: WireMessage, request: OpenRequest, error: RpcError, ms: number): void {
    const describe = request.direction === 'out' ? describeError : describeRefusal;
    this.record(event, describe(request, error, ms));
  }

  protected override acceptNotification(event: WireMessage, method: string, params: unknown): void {
    const read = event.dir === 'a2c' ? logReaders.get(method) : undefined;
    if (read) return this.record(event, read(params));
    switch (method) {
      case '$/progress':
        return this.workProgress.accept(event, params);
      case '$/cancelRequest':
        return this.acceptCancel(event, params);
      case 'window/workDoneProgress/cancel':
        return this.workProgress.cancelled(event, params);
      case 'exit':
        this.askedToEnd = true;
        break;
    }
    const statuses = this.status.read(method, params) ?? [describeNotification(method, params)];
    for (const text of statuses) this.record(event, text);
  }

  /** A cancelled request still gets an answer, so it stays open (LSP "Cancellation Support"). */
  private acceptCancel(event: WireMessage, params: unknown): void {
    const id = requestIdOf(objectOf(params)['id']);
    const request = id === undefined ? undefined : this.requests.get(event.dir === 'c2a' ? 'out' : 'in', id);
    if (request) {
      return this.record(event, {
        level: 'info',
        logger: request.method,
        message: withSubject(request, 'cancel asked for'),
      });
    }
    this.record(event, { level: 'debug', logger: '$/cancelRequest', message: 'of a request that is not open' });
  }
}
