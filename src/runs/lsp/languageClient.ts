import type { MessageReader, MessageWriter } from 'vscode-jsonrpc/node';
import type { JsonObject } from '../../protocols/json';

/** The parts of vscode-languageclient that a run needs. That library imports `vscode`, so src/ui passes it in. */
export interface LanguageClient {
  /**
   * Sends `initialize` and, once it is answered, `initialized`.
   * @throws the server's error response
   */
  start(): Promise<void>;
  sendRequest(method: string): Promise<unknown>;
  sendNotification(method: string, params: unknown): Promise<void>;
}

export interface LanguageClientOptions {
  readonly name: string;
  readonly reader: MessageReader;
  readonly writer: MessageWriter;
  /** Replaces the library's parameters of `initialize`. */
  readonly initializeParams: JsonObject;
}

export type CreateLanguageClient = (options: LanguageClientOptions) => LanguageClient;
