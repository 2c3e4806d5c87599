import * as vscode from 'vscode';
import type { RemoteSpec } from '../../../live/config/launchSpec';
import type { LoginPorts, LoginReason, Redirect } from '../../../live/mcp/login/loginPorts';
import { StateWaiters } from '../../../live/mcp/login/stateWaiters';
import { Cancelled, Dismissed } from '../../../time/waiting';
import { showInformation, unlinked } from '../../kit/notify';
import { openPage } from '../../kit/openPage';
import type { SecretLogins } from './secretLogins';

/** How long the user may take in the browser, in milliseconds. */
const timeout = 5 * 60_000;
/** The path of the VS Code URL for the browser's redirect after a login: `vscode://agent-logs.agent-logs/login`. */
const redirectPath = '/login';

/** Lets users log in to MCP servers in their browser. */
export class Logins implements vscode.UriHandler, vscode.Disposable {
  private readonly waiters = new StateWaiters();
  private readonly handler = vscode.window.registerUriHandler(this);

  /** @param extensionId the authority of the redirect's URL */
  constructor(
    private readonly extensionId: string,
    readonly stored: SecretLogins,
  ) {}

  /** @param onSecrets receives secrets to redact from the log */
  portsFor(agent: string, spec: RemoteSpec, onSecrets: LoginPorts['onSecrets']): LoginPorts {
    return {
      store: this.stored.storeFor(spec),
      listen: () => this.listen(),
      openPage,
      toExternal: async (address) => {
        const external = await vscode.env.asExternalUri(vscode.Uri.parse(address.href));
        return new URL(external.toString(true));
      },
      interact: async (reason, logIn) => {
        if (!(await isWanted(agent, reason))) throw new Dismissed();
        await withProgress(agent, logIn);
      },
      onSecrets,
    };
  }

  handleUri({ path, query }: vscode.Uri): void {
    if (path !== redirectPath) return;
    // Only VS Code in a browser leaves the query encoded.
    const isEncoded = vscode.env.uiKind === vscode.UIKind.Web;
    const encoded = isEncoded ? query : query.replace(/[%+]/g, (char) => encodeURIComponent(char));
    this.waiters.accept(new URLSearchParams(encoded));
  }

  dispose(): void {
    this.handler.dispose();
  }

  private async listen(): Promise<Redirect> {
    const address = vscode.Uri.from({ scheme: vscode.env.uriScheme, authority: this.extensionId, path: redirectPath });
    // Routes to this window, even if it runs in a browser or its extensions run remotely.
    const external = await vscode.env.asExternalUri(address);
    return {
      url: external.toString(true),
      wait: (state, signal) => this.waiters.wait(state, signal),
      dispose: () => undefined,
    };
  }
}

/** Asks before opening a page that the user didn't request. */
async function isWanted(agent: string, reason: LoginReason): Promise<boolean> {
  if (reason.type === 'requested') return true;
  const message =
    reason.type === 'expired'
      ? vscode.l10n.t('Your login to {0} has expired.', agent)
      : vscode.l10n.t('{0} needs more permissions: {1}', agent, reason.scope ?? vscode.l10n.t('unknown'));
  const logIn = vscode.l10n.t('Log In');
  return (await showInformation(message, logIn)) === logIn;
}

async function withProgress(agent: string, logIn: Parameters<LoginPorts['interact']>[1]): Promise<void> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException('Nobody logged in.', 'TimeoutError')), timeout);
  const title = unlinked(vscode.l10n.t('Log in to {0} in your browser', agent));
  const location = vscode.ProgressLocation.Notification;
  try {
    await vscode.window.withProgress({ location, title, cancellable: true }, (progress, token) => {
      token.onCancellationRequested(() => controller.abort(new Cancelled()));
      return logIn(controller.signal, (host) => progress.report({ message: unlinked(host) }));
    });
  } finally {
    clearTimeout(timer);
  }
}
