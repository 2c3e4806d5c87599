import type { Words } from '../../text/translator';
import { t } from '../../text/translator';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CancellationToken, MessageReader, MessageWriter } from 'vscode-jsonrpc/node';
import { ErrorCodes, ResponseError } from 'vscode-jsonrpc/node';
import type { Threshold } from '../../text/level';
import { wantsMore } from '../../text/level';
import { oneLine } from '../../text/text';
import type { JsonObject, RequestId } from '../../text/json';
import { arrayOf, objectOf, textOf } from '../../text/json';
import { workTokenOf } from '../../protocols/lsp/workProgress';
import type { AgentClient, AgentLevelResult } from '../connection/agentClient';
import { greetingOf } from '../connection/greeting';
import type { JsonRpcPipes } from '../connection/jsonRpcPeer';
import { requestError, untilAnswered } from '../connection/jsonRpcPeer';
import type { LspMessages, ShowMessage } from './lspMessages';
import type { LspSettings } from './lspSettings';
import { hasLevel, sectionOf, withLevel } from './lspSettings';
import { LspTransport } from './lspTransport';

/** Limits on what a server may ask for in one request. */
const maxSection = 200;
const maxSections = 1000;

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

export interface LspClientOptions {
  readonly agentName: string;
  readonly clientInfo: { readonly name: string; readonly title: string; readonly version: string };
  readonly workspaceFolders: () => readonly string[];
  readonly showMessage: ShowMessage;
  readonly loadLanguageClient: () => Promise<CreateLanguageClient>;
}

/**
 * Runs a language server (LSP 3.18) for its logs: sends it no documents and no language requests. vscode-languageclient handles the protocol; the
 * process, its end and the server's requests are handled here.
 */
export class LspAgent implements AgentClient {
  private readonly folders: readonly { readonly uri: string; readonly name: string }[];
  private readonly transport: LspTransport;
  /** Set from the response to `initialize` until `exit` is sent. */
  private client: LanguageClient | undefined;
  private declared: Threshold = 'off';
  private level: Threshold = 'off';
  private how: Words = t('ended');
  private openRequests = 0;

  constructor(
    pipes: JsonRpcPipes,
    private readonly createClient: CreateLanguageClient,
    private readonly given: LspSettings,
    private readonly messages: LspMessages,
    private readonly options: LspClientOptions,
  ) {
    this.folders = options.workspaceFolders().map((path) => ({ uri: pathToFileURL(path).href, name: basename(path) }));
    this.transport = new LspTransport(pipes, (method, params) => this.answer(method, params));
  }

  /** Returns the server's name and version as `agentInfo`, and its capabilities. */
  async initialize(level: Threshold, token: CancellationToken): Promise<JsonObject> {
    this.declared = level;
    this.level = level;
    const { reader, writer } = this.transport;
    const { agentName: name } = this.options;
    const client = this.createClient({ name, reader, writer, initializeParams: this.initializeParams() });
    const result = objectOf(await greetingOf(name, 'lsp', this.greet(client, token)));
    const { serverInfo, capabilities } = result;
    return { ...(serverInfo !== undefined && { agentInfo: serverInfo }), capabilities: objectOf(capabilities) };
  }

  /** Sends `$/setTrace`, and the server's own setting if the user's settings have `${level}`. The server confirms neither. */
  async setLevel(level: Threshold): Promise<AgentLevelResult> {
    const before = this.level;
    this.level = level;
    const { settings, initializationOptions } = this.given;
    const hasSetting = hasLevel(settings);
    const isTraced = traceOf(before) !== traceOf(level);
    try {
      if (isTraced) await this.transport.notify('$/setTrace', { value: traceOf(level) });
      if (hasSetting) await this.sendSettings();
    } catch {
      return 'failed';
    }
    if (!hasSetting && hasLevel(initializationOptions) && wantsMore(level, this.declared)) return 'needs-restart';
    return hasSetting || isTraced ? 'applied' : 'unsupported';
  }

  /** Cancels a request, or work that the server reports by `$/progress`. The server may continue anyway. */
  async cancelRequest(requestId: RequestId): Promise<void> {
    const token = workTokenOf(requestId);
    if (token === undefined) await this.client?.sendNotification('$/cancelRequest', { id: requestId });
    else await this.client?.sendNotification('window/workDoneProgress/cancel', { token });
  }

  /** The client has no requests to cancel. */
  prepareStop(): Promise<void> {
    return Promise.resolve();
  }

  /** Sends `shutdown` and, once it is answered, `exit`; neither to a server that isn't initialized. Never rejects. */
  async shutdown(): Promise<void> {
    const { client } = this;
    if (!client) return;
    await this.request('shutdown', () => client.sendRequest('shutdown')).catch(() => undefined);
    await this.exit();
  }

  /** Sends `exit`, even if `shutdown` wasn't answered. Never rejects. */
  async exit(): Promise<void> {
    if (!this.client) return;
    this.client = undefined;
    // Not through the library, because stdin is closed next.
    await this.transport.notify('exit').catch(() => undefined);
  }

  async finish(how: Words | undefined): Promise<void> {
    this.client = undefined;
    this.how = how ?? this.how;
    await untilAnswered(() => this.openRequests === 0);
    this.transport.close();
  }

  /** Resolves to the result of `initialize`, even if the server exits right after; its run reports that. */
  private async greet(client: LanguageClient, token: CancellationToken): Promise<unknown> {
    const listener = token.onCancellationRequested(() => this.transport.cancelInitialize());
    try {
      await this.request('initialize', () => client.start());
    } catch (error) {
      if (!this.transport.initialized) throw error;
    } finally {
      listener.dispose();
    }
    this.client = client;
    // Some servers read their settings only after a change.
    await this.sendSettings().catch(() => undefined);
    return this.transport.initialized?.result;
  }

  private async request(method: string, ask: () => Promise<unknown>): Promise<void> {
    this.openRequests++;
    try {
      await ask();
    } catch (error) {
      throw await requestError(this.options.agentName, method, this.how, error);
    } finally {
      this.openRequests--;
    }
  }

  /** Answers a request of the server without side effects: with a result or a `ResponseError`. */
  private answer(method: string, params: unknown): unknown {
    switch (method) {
      case 'window/showMessageRequest':
        return this.messages.show(params);
      case 'workspace/configuration':
        return this.sections(params);
      case 'workspace/workspaceFolders':
        return this.folders;
      case 'window/workDoneProgress/create':
      case 'client/registerCapability':
      case 'client/unregisterCapability':
        return null;
      case 'window/showDocument':
        return { success: false };
      case 'workspace/applyEdit':
        return { applied: false, failureReason: this.refusal(method) };
      default:
        return method.endsWith('/refresh') ? null : new ResponseError(ErrorCodes.MethodNotFound, this.refusal(method));
    }
  }

  private sections(params: unknown): unknown[] {
    const settings = this.settings();
    return arrayOf(objectOf(params)['items'])
      .slice(0, maxSections)
      .map((item) => sectionOf(settings, (textOf(objectOf(item)['section']) ?? '').slice(0, maxSection)));
  }

  private refusal(method: string): string {
    return `${this.options.clientInfo.title} declines ${oneLine(method, 100)}: it only shows what happens.`;
  }

  private initializeParams(): JsonObject {
    const { clientInfo } = this.options;
    const { initializationOptions } = this.given;
    return {
      processId: process.pid,
      clientInfo: { name: clientInfo.title, version: clientInfo.version },
      rootUri: this.folders[0]?.uri ?? null,
      workspaceFolders: this.folders.length === 0 ? null : this.folders,
      trace: traceOf(this.level),
      capabilities: {
        window: { workDoneProgress: true, showMessage: {} },
        workspace: { configuration: true, workspaceFolders: true },
      },
      ...(initializationOptions && { initializationOptions: withLevel(initializationOptions, this.level) }),
    };
  }

  private async sendSettings(): Promise<void> {
    await this.client?.sendNotification('workspace/didChangeConfiguration', { settings: this.settings() });
  }

  private settings(): JsonObject {
    return objectOf(withLevel(this.given.settings, this.level));
  }
}

/** Only `debug` enables a server's traces (LSP "$/setTrace"). */
function traceOf(level: Threshold): 'off' | 'verbose' {
  return level === 'debug' ? 'verbose' : 'off';
}
