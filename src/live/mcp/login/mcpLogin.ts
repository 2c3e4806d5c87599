import type { FetchLike } from '@modelcontextprotocol/client';
import {
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  OAuthError,
  refreshAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import { t } from '../../../text/translator';
import type { OAuthSettings, RemoteSpec } from '../../config/launchSpec';
import { HumanError } from '../../../text/humanError';
import { Cancelled, Dismissed } from '../../../time/waiting';
import { failedHttp } from '../../connection/unreachable';
import { webPage } from '../../webPage';
import { patientFetch } from '../http/patientFetch';
import { AddressGuard } from '../../addresses';
import { loginError, wantsLoopback } from './loginError';
import type { LoginPorts, LoginReason, Redirect } from './loginPorts';
import { isSameIssuer, LoginProvider, OwnCredentials, secretsIn } from './loginProvider';
import { LoopbackRedirect } from './loopbackRedirect';
import { anySignal, oauthFetch, unlessAborted } from './oauthFetch';

/** What a server says with a refusal: the `WWW-Authenticate` header (RFC 6750, RFC 9728). */
interface Challenge extends ReturnType<typeof extractWWWAuthenticateParams> {
  /** Whether it looks as if a login would help. Nothing is fetched to find out: the user hasn't agreed to a login yet. */
  readonly offersLogin: boolean;
}

type OnHost = Parameters<Parameters<LoginPorts['interact']>[1]>[1];

/** How often one request may be repeated with a new token. */
const maxRetries = 2;

/** The login to one MCP server over HTTP (MCP "Authorization"): adds its token to requests, and renews it when the server wants that. */
export class McpLogin {
  private readonly settings: OAuthSettings;
  private readonly server: URL;
  private readonly guard: AddressGuard;
  private readonly ended = new AbortController();
  /** While several requests need a new token, one renewal serves them all. */
  private renewal: Promise<boolean> | undefined;
  /** Whether the user may be asked to log in. Off during a start, which must not wait for a person. */
  mayAsk = false;

  constructor(
    private readonly agentName: string,
    private readonly spec: RemoteSpec,
    private readonly ports: LoginPorts,
  ) {
    this.settings = spec.oauth ?? {};
    this.server = new URL(spec.url);
    this.guard = new AddressGuard(this.server);
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
  refusal(response: Response, message: string): HumanError | undefined {
    const challenge = this.challengeOf(response);
    if (challenge?.offersLogin !== true) return undefined;
    if (response.status === 401) {
      return failedHttp({ method: 'POST', status: 401, message, canLogIn: true }, this.spec.url);
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
    const challenge = (await this.probe()) ?? { offersLogin: true };
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
    if (response.status === 403 && challenge.error !== 'insufficient_scope') return undefined;
    const header = response.headers.get('www-authenticate');
    // Servers of MCP 2025-03-26 may send no header, but so do those that want a key of their own.
    const offersLogin =
      header === null
        ? Object.keys(this.spec.headers).length === 0
        : /\b(?:bearer|dpop|resource_metadata)\b/i.test(header);
    return { ...challenge, offersLogin };
  }

  /** Gets the server's challenge with a request that has no effect. */
  private async probe(): Promise<Challenge | undefined> {
    const response = await oauthFetch(this.ended.signal, this.guard)(this.server, {
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
    const { tokens } = await this.ports.store.load();
    const scope = computeScopeUnion(tokens?.scope, challenge.scope);
    const isWider = challenge.error === 'insufficient_scope';
    if (!isWider && (await this.refresh())) return true;
    if (!this.mayAsk || !(challenge.offersLogin || tokens)) return false;
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

  /** Renews the login silently, where the user logged in: nothing that the server says now is followed. */
  private async refresh(): Promise<boolean> {
    const { tokens, discovery, redirectUrl } = await this.ports.store.load();
    if (tokens?.refresh_token === undefined || !discovery) return false;
    const { authorizationServerUrl, authorizationServerMetadata: metadata, resourceMetadata } = discovery;
    const issuer = metadata?.issuer ?? authorizationServerUrl;
    const provider = new LoginProvider(this.ports, this.settings, redirectUrl);
    try {
      const clientInformation = await provider.clientInformation({ issuer });
      const isKnown = [tokens, clientInformation].every((stored) => isSameIssuer(stored?.issuer, issuer));
      if (!clientInformation || !isKnown) return false;
      const renewed = await refreshAuthorization(authorizationServerUrl, {
        ...(metadata && { metadata }),
        clientInformation,
        refreshToken: tokens.refresh_token,
        ...(resourceMetadata && { resource: resourceMetadata.resource }),
        fetchFn: oauthFetch(this.ended.signal, this.guard),
      });
      await provider.saveTokens({ ...renewed, issuer });
      return true;
    } catch (error) {
      const code = error instanceof OAuthError ? error.code : undefined;
      const isClientGone = code === 'invalid_client' || code === 'unauthorized_client';
      if (isClientGone) await provider.invalidateCredentials('client');
      if (isClientGone || code === 'invalid_grant') await provider.invalidateCredentials('tokens');
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
      await this.ports.interact(reason, (cancelled, onHost) =>
        this.logInOnAnyRedirect(wanted, anySignal(cancelled, this.ended.signal), onHost),
      );
    } catch (error) {
      if (error instanceof Cancelled) throw error;
      throw loginError(this.agentName, error);
    }
  }

  private async logInOnAnyRedirect(challenge: Challenge, signal: AbortSignal, onHost: OnHost): Promise<void> {
    const loopback = (): Promise<Redirect> => LoopbackRedirect.listen((address) => this.ports.toExternal(address));
    // A manually registered client can't know the address of this window.
    const isRegistered = this.settings.clientId !== undefined;
    try {
      await this.logInWith(await (isRegistered ? loopback() : this.ports.listen()), challenge, signal, onHost);
    } catch (error) {
      if (isRegistered || !wantsLoopback(error)) throw error;
      await this.logInWith(await loopback(), challenge, signal, onHost);
    }
  }

  private async logInWith(
    redirect: Redirect,
    challenge: Challenge,
    signal: AbortSignal,
    onHost: OnHost,
  ): Promise<void> {
    const provider = new LoginProvider(this.ports, this.settings, redirect.url);
    try {
      await provider.invalidateCredentials('discovery');
      await this.authorize(provider, challenge, { signal, forceReauthorization: true });
      const { page } = provider;
      if (!page) return;
      const shown = webPage(page.url.href);
      onHost(shown.host);
      const answer = redirect.wait(page.state, signal);
      answer.catch(() => undefined); // Awaited below, but it may fail before.
      if (!(await this.ports.openPage(shown))) throw new Dismissed();
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
      fetchFn: oauthFetch(signal, this.guard),
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
