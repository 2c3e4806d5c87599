import type { Level } from '../../text/level';
import { duration, oneLine } from '../../text/text';
import { objectOf, textOf, textsOf } from '../../text/json';
import type { OpenRequest } from '../../work/requests';
import type { RpcError } from '../../work/rpcError';
import type { WireMessage } from '../../wire/wireEvent';
import type { ReaderContext } from '../interpreter';
import { errorExchange, withSubject } from '../jsonrpc/exchangeText';
import type { RequestDetails } from '../jsonrpc/jsonRpcInterpreter';
import { JsonRpcInterpreter } from '../jsonrpc/jsonRpcInterpreter';

/** Reads the log of VS Code's agent host: its windows send requests and actions, and it tells them its own. Only the messages are known. */
export class AgentHostReader extends JsonRpcInterpreter {
  constructor(context: ReaderContext) {
    super(context, { expected: 'the agent host writes JSON' });
  }

  protected override lossLevel(): Level {
    return 'info';
  }

  protected override detailsOf(_method: string, params: unknown): RequestDetails {
    const subject = subjectOf(params);
    return subject === undefined ? {} : { noted: { subject } };
  }

  protected override acceptRequest(): void {
    // Its answer says both.
  }

  protected override acceptResult(event: WireMessage, request: OpenRequest, _result: unknown, ms: number): void {
    const level = request.method === 'ping' ? 'debug' : 'info';
    this.record(event, {
      level,
      logger: request.method,
      message: withSubject(request, `answered in ${duration(ms)}`),
    });
  }

  protected override acceptError(event: WireMessage, request: OpenRequest, error: RpcError, ms: number): void {
    const what = withSubject(request, `failed after ${duration(ms)}`);
    this.record(event, errorExchange('error', request.method, what, error));
  }

  protected override acceptNotification(event: WireMessage, method: string, params: unknown): void {
    const { action, error } = objectOf(params);
    const type = textOf(objectOf(action)['type']);
    const failure = textOf(objectOf(error)['message']) ?? textOf(objectOf(objectOf(action)['error'])['message']);
    const words = textsOf(subjectOf(params), type, failure).join(': ');
    // Actions are echoed, and most are changes of settings.
    const level = failure === undefined ? (type?.startsWith('root/') === true ? 'debug' : 'info') : 'error';
    this.record(event, { level, logger: method, message: words === '' ? 'sent' : words });
  }
}

/** The channel or session that parameters name; the root isn't worth it. */
function subjectOf(params: unknown): string | undefined {
  const { channel, resource, session } = objectOf(params);
  const name = [session, resource, channel].map(textOf).find((text) => text !== undefined);
  return name === undefined || name === 'ahp-root://' ? undefined : oneLine(name, 200);
}
