import type { JsonObject, RequestId } from '../../../text/json';
import { isObject, requestIdOf } from '../../../text/json';
import type { Line } from '../../../text/bytes/line';
import { repaired } from '../../../wire/jsonRpcReader';
import { jsonInOneLine, jsonValueOf } from '../../../wire/jsonValue';
import { CutLine } from '../../../wire/lines/longLine';
import { readLongMessage } from '../../../wire/lines/longMessage';
import { WireLine } from '../../../wire/wireLine';
import type { Wire } from '../../connection/agentConnection';
import type { McpCalls } from '../mcpCalls';

/** Reports the messages in HTTP bodies and events as wire events, and filters them for the MCP library. */
export class HttpMessages {
  constructor(
    private readonly wire: Wire,
    private readonly calls: McpCalls,
  ) {}

  /** Reports a body that is about to be sent. Returns its ID if it's a request. */
  send(body: string): RequestId | undefined {
    const msg: unknown = JSON.parse(body);
    this.wire.onEvent(WireLine.of(this.wire.now(), 'c2a', body, { msg }));
    this.wire.onSlice();
    this.calls.sending(msg);
    return HttpMessages.requestIn(msg);
  }

  static requestIn(msg: unknown): RequestId | undefined {
    return isObject(msg) && typeof msg['method'] === 'string' ? requestIdOf(msg['id']) : undefined;
  }

  /** Reports what the server sent. Returns the messages to pass on to the library. */
  receive(line: Line): JsonObject[] {
    if (line instanceof CutLine) return this.receiveLong(line);
    if (line.isBlank) return [];
    const { text } = line;
    const { msg } = jsonValueOf(text);
    this.wire.onEvent(
      WireLine.of(this.wire.now(), 'a2c', msg === undefined ? text : jsonInOneLine(text, msg), { msg }),
    );
    if (msg === undefined) return [];
    return (Array.isArray(msg) ? (msg as unknown[]) : [msg]).flatMap((one) => this.forLibrary(one));
  }

  private receiveLong(line: CutLine): JsonObject[] {
    const { messages, refused, logged } = readLongMessage(line, this.wire.maxMessageBytes);
    // In one piece, because several streams may be read at the same time.
    if (line.whole) this.wire.onPiece('a2c', line.whole);
    this.wire.onEvent(WireLine.of(this.wire.now(), 'a2c', logged.line, { ...logged, bytes: line.bytes }));
    // Without parameters, so that the library declines it.
    const requests = refused.map(({ id, method }) => ({ jsonrpc: '2.0', id, method }));
    return [...messages, ...requests].flatMap((one) => this.forLibrary(one));
  }

  private forLibrary(msg: unknown): JsonObject[] {
    const message = repaired(msg);
    if (!message) return [];
    const { id, method, params } = { ...message } as JsonObject;
    const isNotification = typeof method === 'string' && id === undefined;
    const wanted = isNotification ? this.calls.notified(method, params) : this.calls.received({ ...message });
    return wanted ? [wanted] : [];
  }
}

export function answers({ id, method }: JsonObject, asked: RequestId | undefined): boolean {
  return method === undefined && id === asked;
}

/** The error that the library gets instead of a response that won't come. */
export function lostAnswer(id: RequestId, message: string): JsonObject {
  return { jsonrpc: '2.0', id, error: { code: -32000, message } };
}
