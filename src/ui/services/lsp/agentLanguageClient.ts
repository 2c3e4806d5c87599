import * as vscode from 'vscode';
import type { InitializeParams, MessageTransports } from 'vscode-languageclient/node';
import { BaseLanguageClient, CloseAction, ErrorAction, RevealOutputChannelOn } from 'vscode-languageclient/node';
import type { LanguageClient, LanguageClientOptions } from '../../../live/lsp/lspAgent';

/** Loaded when the first language server starts: the library is large. */
export function createLanguageClient(options: LanguageClientOptions): LanguageClient {
  return new AgentLanguageClient(options);
}

/**
 * Speaks to a server over our transports and shows nothing: no notifications, no output channel, no restarts. What a server does is read off
 * the wire, and its process is ours.
 */
class AgentLanguageClient extends BaseLanguageClient {
  constructor(private readonly options: LanguageClientOptions) {
    super('agentLogs', options.name, {
      outputChannel: new SilentChannel(options.name),
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      // Without a handler, the library shows the error and may offer to retry.
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
      },
    });
  }

  /** Does nothing: some errors would be shown whatever `revealOutputChannelOn` says. */
  override error(): void {
    // see above
  }

  protected override createMessageTransports(): Promise<MessageTransports> {
    const { reader, writer } = this.options;
    return Promise.resolve({ reader, writer });
  }

  /** The library's own parameters offer what we don't do. */
  protected override fillInitializeParams(params: InitializeParams): void {
    for (const name of Object.keys(params)) Reflect.deleteProperty(params, name);
    Object.assign(params, this.options.initializeParams);
  }
}

/** Without a channel, the library would create one. Its level also decides whether the library traces messages. */
class SilentChannel implements vscode.LogOutputChannel {
  readonly logLevel = vscode.LogLevel.Off;

  constructor(readonly name: string) {}

  onDidChangeLogLevel(): vscode.Disposable {
    return new vscode.Disposable(ignore);
  }

  append = ignore;
  appendLine = ignore;
  replace = ignore;
  clear = ignore;
  show = ignore;
  hide = ignore;
  dispose = ignore;
  trace = ignore;
  debug = ignore;
  info = ignore;
  warn = ignore;
  error = ignore;
}

function ignore(): void {
  // nothing to do
}
