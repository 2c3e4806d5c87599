import type {
  DataCallback,
  Disposable,
  MessageWriter,
  NotificationMessage,
  RequestMessage,
  ResponseMessage,
} from 'vscode-jsonrpc/node';
import { AbstractMessageReader, ErrorCodes, Message, ResponseError } from 'vscode-jsonrpc/node';
import { messageOf } from '../../text/humanError';
import type { JsonRpcPipes } from '../connection/jsonRpcPeer';

/** Answers a server request with a result or a `ResponseError`. */
export type AnswerRequest = (method: string, params: unknown) => unknown;

/**
 * Connects vscode-languageclient to a server. The library only gets the responses to its own requests. Otherwise it would show a server's questions and
 * documents, apply its edits, and keep a progress part for each token, so the server's requests are answered here.
 */
export class LspTransport {
  readonly reader = new AnswerReader();
  readonly writer: MessageWriter = {
    // A broken pipe is reported when the process ends, and write() rejects.
    onError: never,
    onClose: never,
    write: (message) => this.write(message),
    end: () => undefined,
    dispose: () => undefined,
  };
  /** The server's result of `initialize`, unvalidated; unset until then. */
  initialized: { readonly result: unknown } | undefined;
  private initializeId: RequestMessage['id'] = null;
  /** The ids of the library's open requests. */
  private readonly open = new Set<unknown>();

  constructor(
    private readonly pipes: JsonRpcPipes,
    private readonly answer: AnswerRequest,
  ) {
    pipes.reader.listen((message) => this.receive(message));
  }

  /** Sends a notification immediately. The library delays its own by a few microtasks. */
  notify(method: string, params?: object): Promise<void> {
    const notification: NotificationMessage = { jsonrpc: '2.0', method, ...(params && { params }) };
    return this.pipes.writer.write(notification);
  }

  cancelInitialize(): void {
    if (this.initializeId === null || this.initialized) return;
    this.notify('$/cancelRequest', { id: this.initializeId }).catch(() => undefined); // the agent is gone
  }

  /** Makes the library reject its open requests and remove its listeners. */
  close(): void {
    this.reader.close();
    this.pipes.flow.close();
  }

  private receive(message: Message): void {
    if (Message.isRequest(message)) void this.reply(message);
    else if (Message.isResponse(message) && this.open.delete(message.id)) {
      this.reader.receive(message.id === this.initializeId ? this.withoutCapabilities(message) : message);
    }
    // Limits how many requests are answered in one turn of the event loop.
    setImmediate(() => this.pipes.flow.handled(message));
  }

  private async reply({ id, method, params }: RequestMessage): Promise<void> {
    const answer = await this.answerOf(method, params);
    const outcome = answer instanceof ResponseError ? { error: answer.toJson() } : { result: answer ?? null };
    const response: ResponseMessage = { jsonrpc: '2.0', id, ...outcome };
    await this.pipes.writer.write(response).catch(() => undefined); // the agent is gone
  }

  private async answerOf(method: string, params: unknown): Promise<unknown> {
    try {
      return await this.answer(method, params);
    } catch (error) {
      return new ResponseError(ErrorCodes.InternalError, messageOf(error));
    }
  }

  /** Removes the capabilities: the library would register providers or commands with VS Code for them, or reject the server's position encoding. */
  private withoutCapabilities(response: ResponseMessage): ResponseMessage {
    // Some servers send `error: null` with a result.
    if (response.error) return response;
    this.initialized = { result: response.result };
    return { ...response, result: { capabilities: {} } };
  }

  private async write(message: Message): Promise<void> {
    // The library sends its output channel's level whenever a VS Code setting changes. Only the run's level is used.
    if (Message.isNotification(message) && message.method === '$/setTrace') return;
    if (Message.isRequest(message)) {
      this.open.add(message.id);
      if (message.method === 'initialize') this.initializeId = message.id;
    }
    return this.pipes.writer.write(message);
  }
}

class AnswerReader extends AbstractMessageReader {
  private callback: DataCallback | undefined;
  private isClosed = false;

  listen(callback: DataCallback): Disposable {
    this.callback = callback;
    if (this.isClosed) setImmediate(() => this.fireClose());
    return { dispose: () => undefined };
  }

  receive(answer: ResponseMessage): void {
    this.callback?.(answer);
  }

  close(): void {
    this.isClosed = true;
    this.fireClose();
  }
}

function never(): Disposable {
  return { dispose: () => undefined };
}
