import * as vscode from 'vscode';
import type { Redirect } from '../../runs/mcp/login/loginPorts';
import { StateWaiters } from '../../runs/mcp/login/stateWaiters';

const path = '/login';

/** Receives the browser after a login, at an address of VS Code's own (`vscode://agent-logs.agent-logs/login`). */
export class LoginRedirects implements vscode.UriHandler, vscode.Disposable {
  private readonly waiters = new StateWaiters();
  private readonly handler = vscode.window.registerUriHandler(this);

  /** @param extensionId the authority of the address */
  constructor(private readonly extensionId: string) {}

  async listen(): Promise<Redirect> {
    const address = vscode.Uri.from({ scheme: vscode.env.uriScheme, authority: this.extensionId, path });
    // Leads to this window, also if it is in a browser or its extensions run elsewhere.
    const external = await vscode.env.asExternalUri(address);
    return {
      url: external.toString(true),
      wait: (state, signal) => this.waiters.wait(state, signal),
      dispose: () => undefined,
    };
  }

  handleUri(uri: vscode.Uri): void {
    // `query` is decoded already: decoding it once more would change what has a `+` or `%` in it.
    if (uri.path !== path) return;
    const query = uri.query.replace(/[%+]/g, (char) => encodeURIComponent(char));
    this.waiters.accept(new URLSearchParams(query));
  }

  dispose(): void {
    this.handler.dispose();
  }
}
