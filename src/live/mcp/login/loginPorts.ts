import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { WebPage } from '../../webPage';

export interface StoredLogin {
  /** The client registration with the authorization server. */
  readonly client?: StoredOAuthClientInformation;
  /** The redirect address that `client` is registered with. */
  readonly redirectUrl?: string;
  readonly tokens?: StoredOAuthTokens;
  readonly discovery?: OAuthDiscoveryState;
}

/** Stores the login to one server as a secret. */
export interface LoginStore {
  load(): Promise<StoredLogin>;
  save(login: StoredLogin): Promise<void>;
}

/** The address to which the browser returns after a login. */
export interface Redirect {
  readonly url: string;
  /** Resolves with the query of the first visit with this `state`; rejects when `signal` aborts. */
  wait(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  dispose(): void;
}

/** Why the user has to log in: they asked to, a login is no longer valid, or a request needs more scopes. */
export type LoginReason =
  | { readonly type: 'requested' }
  | { readonly type: 'expired' }
  | { readonly type: 'scope'; readonly scope: string | undefined };

export interface LoginPorts {
  readonly store: LoginStore;
  /** Listens for the browser on an address that the editor handles. */
  listen(): Promise<Redirect>;
  /** Opens a page in the user's browser. Resolves with `false` if the user declined. */
  openPage(page: WebPage): Promise<boolean>;
  /** Makes an address on this machine reachable for the browser, which may run on another one. */
  toExternal(address: URL): Promise<URL>;
  /**
   * Shows the login, and the host of its page once it is known, and lets the user cancel it, which aborts the signal.
   * @throws Cancelled if the user doesn't want to log in
   */
  interact(
    reason: LoginReason,
    logIn: (signal: AbortSignal, onHost: (host: string) => void) => Promise<void>,
  ): Promise<void>;
  /** Receives every token and client secret, so that the log can redact them. */
  onSecrets(secrets: readonly string[]): void;
}
