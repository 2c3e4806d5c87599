import type { FetchLike } from '@modelcontextprotocol/client';
import {
  auth,
  computeScopeUnion,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  OAuthError,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import { t } from '../../../log/translator';
import type { OAuthSettings, RemoteSpec } from '../../config/launchSpec';
import { HumanError } from '../../humanError';
import { Cancelled } from '../../waiting';
import { patientFetch } from '../http/patientFetch';
import { loginError, wantsLoopback } from './loginError';
import type { LoginPorts, LoginReason, Redirect } from './loginPorts';
import { LoginProvider, OwnCredentials, secretsIn } from './loginProvider';
import { LoopbackRedirect } from './loopbackRedirect';
import { anySignal, oauthFetch } from './oauthFetch';

/** What a server says with a refusal: the `WWW-Authenticate` header (RFC 6750, RFC 9728). */
type Challenge = ReturnType<typeof extractWWWAuthenticateParams>;

/** How often one request may be repeated with a new token. */
const maxRetries = 2;

/** The login to one MCP server over HTTP (MCP "Authorization"): adds its token to requests, and renews it when the server wants that. */
export class McpLogin {
  private readonly settings: OAuthSettings;
  private readonly server: URL;
  private readonly ended = new AbortController();
  /** While several requests need a new token, one renewal serves them all. */
  private renewal: Promise<boolean> | undefined;
  private canLogIn = false;
  /** Whether the user may be asked to log in. Off during a start, which must not wait for a person. */
  mayAsk = false;

  constructor(
    private readonly agentName: string,
    private readonly spec: RemoteSpec,
    private readonly ports: LoginPorts,
  ) {
    this.settings = spec.oauth ?? {};
    this.server = new URL(spec.url);
  }

  /** Sends a request with the token, and repeats it with a new one if required. Returns the refusal if no new token is available. */
  readonly fetch: FetchLike = async (url, init) => {
    if (new URL(url).origin !== this.server.origin) return patientFetch(url, init);
    for (let retries = 0; ; retries++) {
      const token = await this.token();
      const headers = new Headers(init?.headers);
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
      const response = await patientFetch(url, { ...init, headers });
      const challenge = this.challengeOf(response);
      if (!challenge || retries === maxRetries) return response;
      if (!(await unlessAborted(this.renew(challenge, token), init?.signal))) return response;
      await response.body?.cancel();
    }
  };

  /** What to tell the user about a refused request, if logging in would help. */
  refusal(response: Response): HumanError | undefined {
    const challenge = this.challengeOf(response);
    if (!challenge || !this.canLogIn) return undefined;
    if (response.status === 401) {
      return new HumanError(t('{0} requires you to log in.', this.agentName), ['logIn', 'output']);
    }
    const words =
      challenge.scope === undefined
        ? t('{0} requires more permissions than your login has. Log in again to grant them.', this.agentName)
        : t(
            '{0} requires more permissions than your login has ({1}). Log in again to grant them.',
            this.agentName,
            challenge.scope.slice(0, 200),
          );
    return new HumanError(words, ['logIn', 'output']);
  }

  /**
   * Lets the user log in, whether or not there is a login.
   * @throws Cancelled, or HumanError with what went wrong
   */
  async logIn(): Promise<void> {
    const challenge = (await this.probe()) ?? {};
    if (this.settings.grant === 'client_credentials') await this.renewWithOwnCredentials(challenge);
    else await this.askToLogIn({ type: 'requested' }, challenge, challenge.scope);
  }

  /** Gives up a login in progress. */
  dispose(): void {
    this.ended.abort(new Cancelled());
  }

  private async token(): Promise<string | undefined> {
    const login = await this.ports.store.load();
    this.ports.onSecrets(secretsIn(login));
    return login.tokens?.access_token;
  }

  /** `undefined` if the response requires neither a login nor additional scopes. */
  private challengeOf(response: Response): Challenge | undefined {
    if (response.status !== 401 && response.status !== 403) return undefined;
    const challenge = extractWWWAuthenticateParams(response);
    return response.status === 401 || challenge.error === 'insufficient_scope' ? challenge : undefined;
  }

  /** Gets the server's challenge with a request that has no effect. */
  private async probe(): Promise<Challenge | undefined> {
    const response = await oauthFetch(this.ended.signal)(this.server, {
      method: 'POST',
      headers: {
        ...this.spec.headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'ping' }),
    }).catch((error: unknown) => {
      throw loginError(this.agentName, error);
    });
    return this.challengeOf(response);
  }

  /** @param used the token that was refused */
  private async renew(challenge: Challenge, used: string | undefined): Promise<boolean> {
    if (this.renewal) return this.renewal;
    if ((await this.token()) !== used) return true; // Another window has renewed it.
    return (this.renewal ??= this.renewOnce(challenge).finally(() => (this.renewal = undefined)));
  }

  private async renewOnce(challenge: Challenge): Promise<boolean> {
    if (this.settings.grant === 'client_credentials') return this.renewWithOwnCredentials(challenge);
    const { tokens, redirectUrl } = await this.ports.store.load();
    const scope = computeScopeUnion(tokens?.scope, challenge.scope);
    const isWider = challenge.error === 'insufficient_scope';
    if (tokens?.refresh_token !== undefined && redirectUrl !== undefined && !isWider) {
      const provider = new LoginProvider(this.ports, this.settings, redirectUrl);
      const result = await this.authorize(provider, challenge).catch(() => 'REDIRECT');
      if (result === 'AUTHORIZED') return true;
    }
    this.canLogIn ||= await this.offersLogin(challenge);
    if (!this.canLogIn || !this.mayAsk) return false;
    try {
      await this.askToLogIn(
        isWider ? { type: 'scope', scope: challenge.scope } : { type: 'expired' },
        challenge,
        scope,
      );
      return true;
    } catch (error) {
      if (error instanceof Cancelled) return false;
      throw error;
    }
  }

  /** Whether an authorization server can be found for this server. */
  private async offersLogin({ resourceMetadataUrl }: Challenge): Promise<boolean> {
    try {
      const found = await discoverOAuthServerInfo(this.server, {
        ...(resourceMetadataUrl && { resourceMetadataUrl }),
        fetchFn: oauthFetch(this.ended.signal),
      });
      return found.resourceMetadata !== undefined || found.authorizationServerMetadata !== undefined;
    } catch {
      return false;
    }
  }

  private async renewWithOwnCredentials(challenge: Challenge): Promise<boolean> {
    try {
      const provider = new OwnCredentials(this.ports, this.settings);
      return (await this.authorize(provider, challenge)) === 'AUTHORIZED';
    } catch (error) {
      throw loginError(this.agentName, error);
    }
  }

  private async askToLogIn(reason: LoginReason, challenge: Challenge, scope: string | undefined): Promise<void> {
    const wanted = { ...challenge, ...(scope !== undefined && { scope }) };
    try {
      await this.ports.interact(reason, (cancelled) =>
        this.logInOnAnyRedirect(wanted, anySignal(cancelled, this.ended.signal)),
      );
    } catch (error) {
      if (error instanceof Cancelled) throw error;
      throw loginError(this.agentName, error);
    }
  }

  private async logInOnAnyRedirect(challenge: Challenge, signal: AbortSignal): Promise<void> {
    const loopback = (): Promise<Redirect> => LoopbackRedirect.listen((address) => this.ports.toExternal(address));
    // A manually registered client can't know the address of this window.
    const isRegistered = this.settings.clientId !== undefined;
    try {
      await this.logInWith(await (isRegistered ? loopback() : this.ports.listen()), challenge, signal);
    } catch (error) {
      if (isRegistered || !wantsLoopback(error)) throw error;
      await this.logInWith(await loopback(), challenge, signal);
    }
  }

  private async logInWith(redirect: Redirect, challenge: Challenge, signal: AbortSignal): Promise<void> {
    const provider = new LoginProvider(this.ports, this.settings, redirect.url);
    try {
      await provider.invalidateCredentials('discovery');
      await this.authorize(provider, challenge, { signal, forceReauthorization: true });
      const { page } = provider;
      if (!page) return;
      const answer = redirect.wait(page.state, signal);
      answer.catch(() => undefined); // Awaited below, but it may fail before.
      if (!(await this.ports.openPage(page.url))) throw new Cancelled();
      const query = await answer;
      const code = await this.codeIn(query, page.state, provider);
      const iss = query.get('iss');
      await this.authorize(provider, challenge, { signal, authorizationCode: code, ...(iss !== null && { iss }) });
    } finally {
      redirect.dispose();
    }
  }

  private authorize(
    provider: LoginProvider,
    { scope, resourceMetadataUrl }: Challenge,
    options: Partial<Parameters<typeof auth>[1]> & { readonly signal?: AbortSignal } = {},
  ): ReturnType<typeof auth> {
    const { signal = this.ended.signal, ...rest } = options;
    return auth(provider, {
      serverUrl: this.server,
      fetchFn: oauthFetch(signal),
      ...(scope !== undefined && { scope }),
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
      ...rest,
    });
  }

  /** The authorization code in the query with which the browser returned. */
  private async codeIn(query: URLSearchParams, state: string, provider: LoginProvider): Promise<string> {
    if (query.get('state') !== state) throw new Error('The browser returned from another login.');
    const metadata = (await provider.discoveryState())?.authorizationServerMetadata;
    // Must be first: if another server answered, nothing it says may be shown (RFC 9207).
    validateAuthorizationResponseIssuer({
      iss: query.get('iss') ?? undefined,
      expectedIssuer: metadata?.issuer,
      issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
    });
    const code = query.get('code');
    if (code !== null) return code;
    const error = query.get('error') ?? 'server_error';
    throw new OAuthError(error, query.get('error_description') ?? error);
  }
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return work;
  signal.throwIfAborted();
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort);
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
