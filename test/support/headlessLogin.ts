import type { LoginPorts, LoginReason, LoginStore, Redirect, StoredLogin } from '../../src/live/mcp/login/loginPorts';
import { StateWaiters } from '../../src/live/mcp/login/stateWaiters';
import { Cancelled } from '../../src/time/waiting';
import type { WebPage } from '../../src/live/webPage';

/** A login without a browser or a person: follows the redirect that the login page answers with. */
export class HeadlessLogin implements LoginPorts {
  readonly reasons: LoginReason[] = [];
  readonly secrets = new Set<string>();
  stored: StoredLogin = {};
  /** Whether the user cancels when asked. */
  declines = false;
  /** Changes the address to which the page leads back. */
  rewrite = (address: URL): URL => address;
  private readonly waiters = new StateWaiters();
  readonly store: LoginStore = {
    load: () => Promise.resolve(this.stored),
    save: (login) => {
      this.stored = login;
      return Promise.resolve();
    },
  };

  /** @param address to which the browser returns; nothing listens there */
  constructor(private readonly address = 'vscode://agent-logs.agent-logs/login?windowId=1') {}

  listen(): Promise<Redirect> {
    const wait: Redirect['wait'] = (state, signal) => this.waiters.wait(state, signal);
    return Promise.resolve({ url: this.address, wait, dispose: () => undefined });
  }

  /** Hosts that were shown to the user. */
  readonly hosts: string[] = [];

  async openPage({ href }: WebPage): Promise<boolean> {
    const response = await fetch(href, { redirect: 'manual' });
    const location = response.headers.get('location');
    if (location === null) throw new Error(`The login page answered with HTTP ${response.status}, not a redirect.`);
    const back = this.rewrite(new URL(location));
    if (back.href.startsWith(this.address)) this.waiters.accept(back.searchParams);
    else await fetch(back);
    return true;
  }

  toExternal(address: URL): Promise<URL> {
    return Promise.resolve(address);
  }

  async interact(reason: LoginReason, logIn: Parameters<LoginPorts['interact']>[1]): Promise<void> {
    this.reasons.push(reason);
    if (this.declines) throw new Cancelled();
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(new DOMException('too late', 'TimeoutError')), this.timeout);
    await logIn(controller.signal, (host) => this.hosts.push(host)).finally(() => clearTimeout(timer));
  }

  onSecrets(secrets: readonly string[]): void {
    for (const secret of secrets) this.secrets.add(secret);
  }

  /** In milliseconds. */
  timeout = 10_000;
}
