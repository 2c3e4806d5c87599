import type { FetchLike } from '@modelcontextprotocol/client';
import { inEnglish } from '../../../text/translator';
import { jsonText } from '../../../text/jsonText';
import { Line } from '../../../text/bytes/line';
import { oneLine } from '../../../text/text';
import type { JsonObject, RequestId } from '../../../text/json';
import type { Wire } from '../../connection/agentConnection';
import { BrokenStreams } from './brokenStreams';
import { EventStreamTap } from './eventStreamTap';
import { readBeginning, readLine, withBody } from './httpBody';
import { answers, HttpMessages, lostAnswer } from './httpMessages';
import { HumanError } from '../../../text/humanError';
import type { McpCalls } from '../mcpCalls';
import { cancelReason } from '../mcpCalls';
import type { McpLogin } from '../login/mcpLogin';
import { patientFetch } from './patientFetch';
import { connectionWords, losses } from '../../../protocols/connectionWords';
import type { Why } from '../../../wire/wireEvent';
import type { FailedHttp } from '../../../diagnosis/failures/httpFailure';
import { errorCodeOf, reasonOf, unreachable } from '../../connection/unreachable';
import { answeredWith, refusalText, rpcErrorOf } from './refusalText';

/** How much of an error body is read, in bytes. */
const refusalBytes = 64 * 1024;
/** How many redirected bodies are remembered. */
const maxRedirected = 16;
const noAnswer = inEnglish(connectionWords(losses.noAnswer));

/** Receives what happens to HTTP exchanges, apart from their messages. */
export interface HttpTapListener {
  /** Whether we are disconnecting, so that streams end as expected. */
  readonly isStopping: boolean;
  onUnreachable(method: string, why: Why): void;
  onRefused(method: string, status: number): void;
  onStreamOpen(): void;
  /** A stream that a GET opened has ended unexpectedly. */
  onStreamEnd(): void;
}

/** An HTTP request and the message in it. */
interface Exchange {
  readonly method: string;
  /** The ID of the JSON-RPC request that expects a response. */
  readonly asked: RequestId | undefined;
  /** The event after which a stream is to be resumed. */
  readonly after?: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * `fetch` for the MCP library. Every message in a body or event stream becomes a wire event, and the library gets only those that it
 * needs.
 */
export class HttpTap {
  private readonly messages: HttpMessages;
  private readonly send: FetchLike;
  private readonly broken: BrokenStreams;
  /** Bodies that are about to be sent again because of a redirect. */
  private readonly redirected = new Set<string>();

  constructor(
    private readonly wire: Wire,
    calls: McpCalls,
    private readonly listener: HttpTapListener,
    private readonly login?: McpLogin,
  ) {
    this.send = login?.fetch ?? patientFetch;
    this.messages = new HttpMessages(wire, calls);
    this.broken = new BrokenStreams((request) => calls.awaits(request));
  }

  readonly fetch: FetchLike = async (url, init) => {
    const exchange: Exchange = {
      method: init?.method ?? 'GET',
      signal: init?.signal ?? undefined,
      ...(typeof init?.body === 'string' ? { asked: this.sending(init.body) } : this.resumed(init?.headers)),
    };
    let response: Response;
    try {
      response = await this.send(url, init);
    } catch (error) {
      if (error instanceof HumanError) throw this.failed(exchange, error);
      if (exchange.signal?.aborted !== true) throw this.unreachable(exchange, new URL(url), error);
      this.reportCancelled(exchange);
      throw error;
    }
    if (response.ok) return this.taken(exchange, response);
    if (isRedirect(response, exchange.method, url)) {
      if (typeof init?.body === 'string') this.redirect(init.body);
      this.expectRetry(exchange);
      return response;
    }
    return this.refused(exchange, response);
  };

  /** A message that is sent again because of a redirect is logged only once. */
  private sending(body: string): RequestId | undefined {
    return this.redirected.delete(body) ? HttpMessages.requestIn(JSON.parse(body)) : this.messages.send(body);
  }

  private redirect(body: string): void {
    this.redirected.add(body);
    // The library gives up on redirect loops.
    for (const oldest of this.redirected) if (this.redirected.size > maxRedirected) this.redirected.delete(oldest);
  }

  private async taken(exchange: Exchange, response: Response): Promise<Response> {
    const { body, status } = response;
    const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
    if (body && type === 'text/event-stream') return withBody(response, this.tapped(exchange, body));
    // 202: the response comes elsewhere (MCP "Streamable HTTP").
    if (status === 202) return response;
    if (body && type === 'application/json') return this.readWhole(exchange, response, body);
    if (exchange.asked !== undefined) {
      if (status === 200) this.reportFailed(exchange, answeredWith(type));
      else this.reportLost(exchange, losses.noAnswer);
    }
    return response;
  }

  /** The request whose stream is being resumed. */
  private resumed(headers: ConstructorParameters<typeof Headers>[0]): Pick<Exchange, 'asked' | 'after'> {
    const after = new Headers(headers).get('last-event-id');
    return after === null ? { asked: undefined } : { asked: this.broken.take(after), after };
  }

  private expectRetry({ asked, after }: Exchange): void {
    if (asked !== undefined && after !== undefined) this.broken.add(after, asked);
  }

  private tapped(exchange: Exchange, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const { method, asked } = exchange;
    const { maxLineBytes, maxMessageBytes, isBehind, onSlice } = this.wire;
    let answered = false;
    if (method === 'GET') this.listener.onStreamOpen();
    return EventStreamTap.on(body, {
      maxLineBytes,
      maxMessageBytes,
      isBehind,
      onSlice,
      onMessage: (data) => {
        const wanted = this.received(data);
        answered ||= asked !== undefined && wanted.some((message) => answers(message, asked));
        return wanted.map((message) => jsonOf(message, asked));
      },
      onEnd: ({ lastId, error }) => (answered ? [] : this.endOf(exchange, lastId, error)),
    });
  }

  /** Handles a stream that ended too early. Returns what to pass on to the library. */
  private endOf(exchange: Exchange, lastId: string | undefined, error: unknown): string[] {
    const { asked, signal } = exchange;
    if (this.listener.isStopping) return [];
    if (signal?.aborted === true) {
      this.reportCancelled(exchange);
      return [];
    }
    if (asked !== undefined && lastId === undefined) {
      this.reportLost(exchange, losses.noAnswer);
      return [JSON.stringify(lostAnswer(asked, noAnswer))];
    }
    this.wire.onProcessEvent({
      ev: 'stream-close',
      ...(error !== undefined && { message: inEnglish(connectionWords(reasonOf(error))) }),
    });
    if (asked === undefined) this.listener.onStreamEnd();
    else if (lastId !== undefined) this.broken.add(lastId, asked);
    return [];
  }

  private async readWhole(exchange: Exchange, response: Response, body: ReadableStream<Uint8Array>): Promise<Response> {
    const { maxLineBytes, maxMessageBytes } = this.wire;
    const line = await readLine(body, maxLineBytes, maxMessageBytes).catch((error: unknown) => {
      if (exchange.signal?.aborted === true) this.reportCancelled(exchange);
      else this.reportLost(exchange, losses.brokenAnswer(reasonOf(error)));
      throw error;
    });
    const wanted = this.received(line);
    this.wire.onSlice();
    const { asked } = exchange;
    if (asked !== undefined && !wanted.some((message) => answers(message, asked))) {
      this.reportLost(exchange, losses.noAnswer);
      wanted.push(lostAnswer(asked, noAnswer));
    }
    return withBody(response, `[${wanted.map((message) => jsonOf(message, asked)).join(',')}]`);
  }

  /** A message that can't be handled must not affect others. */
  private received(line: Line): JsonObject[] {
    try {
      return this.messages.receive(line);
    } catch (error) {
      this.wire.onFault('a2c', error);
      return [];
    }
  }

  private async refused(exchange: Exchange, response: Response): Promise<Response> {
    const { method, asked } = exchange;
    const { status, body } = response;
    const text = body ? await readBeginning(body, refusalBytes) : '';
    const error = rpcErrorOf(text);
    // With the request's ID it's an ordinary response.
    if (error && asked !== undefined && error.id === asked) this.messages.receive(Line.of(text));
    const words = refusalText(text, response.statusText);
    const refusal = this.login?.refusal(response, words);
    this.reportFailed(exchange, words, { status, ...(refusal && { canLogIn: true }) });
    if (refusal) throw refusal;
    // The rest of the response is lost; without this the library would wait forever.
    if (method === 'GET' && asked !== undefined && status < 500) return streamOf(lostAnswer(asked, noAnswer));
    this.expectRetry(exchange);
    this.listener.onRefused(method, status);
    return withBody(response, text);
  }

  /** The request was never answered because the login failed. */
  private failed(exchange: Exchange, error: HumanError): HumanError {
    this.reportFailed(exchange, error.message);
    return error;
  }

  private unreachable(exchange: Exchange, url: URL, error: unknown): HumanError {
    const reason = reasonOf(error);
    const errorCode = errorCodeOf(error);
    this.reportLost(exchange, reason, errorCode);
    this.expectRetry(exchange);
    this.listener.onUnreachable(exchange.method, losses.silent(reason));
    return unreachable(url, exchange.method, error);
  }

  private reportLost(exchange: Exchange, why: Why, errorCode?: string): void {
    const message = inEnglish(connectionWords(why));
    this.reportFailed(exchange, message, { why, ...(errorCode !== undefined && { errorCode }) });
  }

  private reportFailed(
    { method, asked }: Exchange,
    message: string,
    more: Pick<FailedHttp, 'status' | 'why' | 'errorCode' | 'canLogIn'> = {},
  ): void {
    this.wire.onProcessEvent({
      ev: 'http',
      method,
      message: oneLine(message, 500),
      ...more,
      ...(asked !== undefined && { requestId: asked }),
    });
  }

  /** Closing the stream cancels the request (MCP 2026-07-28 "Cancellation"). */
  private reportCancelled({ asked }: Exchange): void {
    if (asked === undefined || this.listener.isStopping) return;
    this.wire.onProcessEvent({ ev: 'stream-close', message: cancelReason, cancels: asked });
  }
}

/** Whether the library follows a redirect: only within an origin, and only if the method stays the same. */
function isRedirect({ status, headers }: Response, method: string, from: string | URL): boolean {
  const location = headers.get('location');
  if (method !== 'GET' && status !== 307 && status !== 308) return false;
  if (status < 300 || status > 399 || location === null || !URL.canParse(location, String(from))) return false;
  return new URL(location, from).origin === new URL(from).origin;
}

function jsonOf(message: object, asked: RequestId | undefined): string {
  const text = jsonText(message);
  if (text !== undefined) return text;
  return asked === undefined ? '{}' : JSON.stringify(lostAnswer(asked, 'the answer is nested too deep'));
}

function streamOf(message: object): Response {
  const headers = { 'content-type': 'text/event-stream' };
  return new Response(`data: ${JSON.stringify(message)}\n\n`, { headers });
}
