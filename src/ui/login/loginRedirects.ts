import * as vscode from 'vscode';
import type { Redirect } from '../../runs/mcp/login/loginPorts';
import { StateWaiters } from '../../runs/mcp/login/stateWaiters';

const path = '/login';

/** Receives the browser's redirect after a login, at a VS Code URL (`vscode://agent-logs.agent-logs/login`). */
export class LoginRedirects implements vscode.UriHandler, vscode.Disposable {
  private readonly waiters = new StateWaiters();
  private readonly handler = vscode.window.registerUriHandler(this);

  /** @param extensionId the authority of the URL */
  constructor(private readonly extensionId: string) {}

  async listen(): Promise<Redirect> {
    const address = vscode.Uri.from({ scheme: vscode.env.uriScheme, authority: this.extensionId, path });
    // Routes to this window, even if it runs in a browser or its extensions run remotely.
    const external = await vscode.env.asExternalUri(address);
    return {
      url: external.toString(true),
      wait: (state, signal) => this.waiters.wait(state, signal),
      dispose: () => undefined,
    };
  }

  handleUri({ path: visited, query }: vscode.Uri): void {
    if (visited !== path) return;
    // Only VS Code in a browser leaves the query encoded.
    const isEncoded = vscode.env.uiKind === vscode.UIKind.Web;
    const encoded = isEncoded ? query : query.replace(/[%+]/g, (char) => encodeURIComponent(char));
    this.waiters.accept(new URLSearchParams(encoded));
  }

  dispose(): void {
    this.handler.dispose();
  }
}
