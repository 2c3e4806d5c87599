import type { MessageReader, MessageWriter } from 'vscode-jsonrpc/node';
import type { JsonObject } from '../../protocols/json';

/** What a run needs of vscode-languageclient. That library imports `vscode`, so src/ui passes it in. */
export interface LanguageClient {
  /**
   * Sends `initialize` and, once it is answered, `initialized`.
   * @throws whatever the server answered instead of a result
   */
  start(): Promise<void>;
  sendRequest(method: string): Promise<unknown>;
  sendNotification(method: string, params: unknown): Promise<void>;
}

export interface LanguageClientOptions {
  readonly name: string;
  readonly reader: MessageReader;
  readonly writer: MessageWriter;
  /** The parameters of `initialize`, in place of the library's. */
  readonly initializeParams: JsonObject;
}

export type CreateLanguageClient = (options: LanguageClientOptions) => LanguageClient;
