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

  handleUri({ path: visited, query }: vscode.Uri): void {
    if (visited !== path) return;
    // Only a VS Code in a browser leaves it to us to decode the query.
    const isEncoded = vscode.env.uiKind === vscode.UIKind.Web;
    const encoded = isEncoded ? query : query.replace(/[%+]/g, (char) => encodeURIComponent(char));
    this.waiters.accept(new URLSearchParams(encoded));
  }

  dispose(): void {
    this.handler.dispose();
  }
}
