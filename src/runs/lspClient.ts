import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CancellationToken } from 'vscode-jsonrpc/node';
import { ErrorCodes, ResponseError } from 'vscode-jsonrpc/node';
import type { Threshold } from '../log/level';
import { wantsMore } from '../log/level';
import { oneLine } from '../log/text';
import type { JsonObject, RequestId } from '../protocols/json';
import { arrayOf, objectOf, textOf } from '../protocols/json';
import { workTokenOf } from '../protocols/lsp/workProgress';
import type { AgentClient, AgentLevelResult } from './agentClient';
import { greetingOf } from './greeting';
import type { JsonRpcPipes } from './jsonRpcPeer';
import { JsonRpcPeer } from './jsonRpcPeer';
import type { LspMessages, ShowMessage } from './lspMessages';
import type { LspSettings } from './lspSettings';
import { hasLevel, sectionOf, withLevel } from './lspSettings';

export interface LspClientOptions {
  /** What the server is called, for the person. */
  readonly agentName: string;
  readonly clientInfo: { readonly name: string; readonly title: string; readonly version: string };
  /** The paths of the folders that are open, for the server to work on. */
  readonly workspaceFolders: () => readonly string[];
  readonly showMessage: ShowMessage;
}

/** A section's name longer than this, or more sections than that, nobody has. */
const maxSection = 200;
const maxSections = 1000;

/**
 * Speaks the Language Server Protocol (LSP 3.18) as its client, to see the server's logs: it offers no documents, and asks nothing of
 * their language. vscode-languageclient would bring those, 400 KB of them, with windows, restarts and a stop of its own.
 */
export class LspClient implements AgentClient {
  private readonly peer: JsonRpcPeer;
  private readonly folders: readonly { readonly uri: string; readonly name: string }[];
  private declared: Threshold = 'off';
  private level: Threshold = 'off';
  private isInitialized = false;

  constructor(
    pipes: JsonRpcPipes,
    private readonly given: LspSettings,
    private readonly messages: LspMessages,
    private readonly options: LspClientOptions,
  ) {
    this.folders = options.workspaceFolders().map((path) => ({ uri: pathToFileURL(path).href, name: basename(path) }));
    this.peer = new JsonRpcPeer(pipes, options.agentName);
    this.peer.connection.onRequest((method, params) => this.answer(method, params));
    this.peer.connection.listen();
  }

  /** What the server says of itself: its name and version as `agentInfo`, and its capabilities. */
  async initialize(level: Threshold, token: CancellationToken): Promise<JsonObject> {
    this.declared = level;
    this.level = level;
    const answer = this.peer.request('initialize', this.initializeParams(), token);
    const result = objectOf(await greetingOf(this.options.agentName, 'lsp', answer));
    this.isInitialized = true;
    // It has answered: where it is gone before it takes these, its run has ended, and its start has not failed.
    await this.greet().catch(() => undefined);
    const { serverInfo, capabilities } = result;
    return { ...(serverInfo !== undefined && { agentInfo: serverInfo }), capabilities: objectOf(capabilities) };
  }

  private async greet(): Promise<void> {
    await this.peer.notify('initialized', {});
    // Servers that ask for sections read their settings only when they hear of a change.
    await this.sendSettings();
  }

  /** `$/setTrace`, and the server's own setting where the person has named it. Neither is answered: what the server makes of it, its logs show. */
  async setLevel(level: Threshold): Promise<AgentLevelResult> {
    const before = this.level;
    this.level = level;
    const { settings, initializationOptions } = this.given;
    const hasSetting = hasLevel(settings);
    const isTraced = traceOf(before) !== traceOf(level);
    try {
      if (isTraced) await this.peer.notify('$/setTrace', { value: traceOf(level) });
      if (hasSetting) await this.sendSettings();
    } catch {
      return 'failed';
    }
    if (!hasSetting && hasLevel(initializationOptions) && wantsMore(level, this.declared)) return 'needs-restart';
    return hasSetting || isTraced ? 'applied' : 'unsupported';
  }

  /** Asks the server to give up a request, or work of its own; it may go on all the same. */
  cancelRequest(requestId: RequestId): Promise<void> {
    const token = workTokenOf(requestId);
    return token === undefined
      ? this.peer.notify('$/cancelRequest', { id: requestId })
      : this.peer.notify('window/workDoneProgress/cancel', { token });
  }

  /** There is nothing to cancel: we ask nothing of it. */
  takeLeave(): Promise<void> {
    return Promise.resolve();
  }

  /** Asks the server to end (LSP "Shutdown Request", "Exit Notification"), which one that has not been initialized is not. Never rejects. */
  async shutdown(): Promise<void> {
    if (!this.isInitialized) return;
    await this.peer.request('shutdown').catch(() => undefined);
    await this.exit();
  }

  /** Tells the server to end, whether it has answered `shutdown` or not. Never rejects. */
  async exit(): Promise<void> {
    if (!this.isInitialized) return;
    this.isInitialized = false;
    await this.peer.notify('exit').catch(() => undefined);
  }

  finish(how: string | undefined): Promise<void> {
    this.isInitialized = false;
    return this.peer.finish(how);
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

  private sendSettings(): Promise<void> {
    return this.peer.notify('workspace/didChangeConfiguration', { settings: this.settings() });
  }

  private settings(): JsonObject {
    return objectOf(withLevel(this.given.settings, this.level));
  }

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
}

/** Traces are how a server goes about its work (LSP "$/setTrace"), which only `debug` wants. */
function traceOf(level: Threshold): 'off' | 'verbose' {
  return level === 'debug' ? 'verbose' : 'off';
}
