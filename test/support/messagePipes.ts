import type { DataCallback, MessageReader, MessageWriter } from 'vscode-jsonrpc/node';
import { FlowControl } from '../../src/wire/flowControl';
import type { JsonRpcPipes } from '../../src/live/connection/jsonRpcPeer';

type Fields = Record<string, unknown>;

const nothing = { dispose: () => undefined };

/** The two ends of a JSON-RPC connection, in memory. */
export class MessagePipes implements JsonRpcPipes {
  readonly sent: Fields[] = [];
  readonly flow = new FlowControl();
  private deliver: DataCallback | undefined;
  private readonly listeners: ((message: Fields) => void)[] = [];
  private readonly watchers: ((message: Fields) => void)[] = [];

  readonly reader: MessageReader = {
    onError: () => nothing,
    onClose: () => nothing,
    onPartialMessage: () => nothing,
    listen: (callback) => {
      this.deliver = callback;
      return nothing;
    },
    dispose: () => undefined,
  };

  readonly writer: MessageWriter = {
    onError: () => nothing,
    onClose: () => nothing,
    write: (message) => {
      const fields = message as unknown as Fields;
      this.sent.push(fields);
      for (const listener of this.listeners) listener(fields);
      return Promise.resolve();
    },
    end: () => undefined,
    dispose: () => undefined,
  };

  /** A message of the agent. */
  receive(message: object): void {
    this.deliver?.({ jsonrpc: '2.0', ...message });
    for (const watch of this.watchers) watch(message as Fields);
  }

  onAnySent(listener: (message: Fields) => void): void {
    this.listeners.push(listener);
  }

  /** Answers requests of this method. */
  onSent(method: string, answer: (id: unknown) => void): void {
    this.onAnySent((message) => {
      if (message['method'] === method) answer(message['id']);
    });
  }

  /** The next message of the agent that passes. */
  received(test: (message: Fields) => boolean): Promise<Fields> {
    return new Promise((resolve) => this.watchers.push((message) => (test(message) ? resolve(message) : undefined)));
  }

  /** The first message of the client that passes. */
  sentMessage(test: (message: Fields) => boolean): Promise<Fields> {
    const known = this.sent.find(test);
    if (known) return Promise.resolve(known);
    return new Promise((resolve) => this.onAnySent((message) => (test(message) ? resolve(message) : undefined)));
  }
}
