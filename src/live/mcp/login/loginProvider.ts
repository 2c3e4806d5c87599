import type {
  AddClientAuthentication,
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { AuthorizationServerMismatchError, createPrivateKeyJwtAuth } from '@modelcontextprotocol/client';
import { createPrivateKey, randomUUID } from 'node:crypto';
import type { OAuthSettings } from '../../config/launchSpec';
import type { LoginPorts, StoredLogin } from './loginPorts';

type Credentials = Parameters<NonNullable<OAuthClientProvider['invalidateCredentials']>>[0];

/** The authorization page to open in the browser, and what has to come back from it. */
export interface LoginPage {
  readonly url: URL;
  readonly state: string;
}

/** Keeps what the official client's `auth` function learns and asks for during one login or refresh. */
export class LoginProvider implements OAuthClientProvider {
  readonly clientMetadataUrl?: string;
  /** Set once the user has to visit a page. */
  page: LoginPage | undefined;
  private verifier = '';
  private sentState = '';

  /** @param redirectUrl `undefined` if the client logs in with its own credentials */
  constructor(
    private readonly ports: Pick<LoginPorts, 'store' | 'onSecrets'>,
    private readonly settings: OAuthSettings,
    readonly redirectUrl: string | undefined,
  ) {
    const { clientId } = settings;
    if (isDocument(clientId)) this.clientMetadataUrl = clientId;
  }

  /** The ID from the settings, if the user has registered a client. */
  private get ownClientId(): string | undefined {
    const { clientId } = this.settings;
    return isDocument(clientId) ? undefined : clientId;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'Agent Logs',
      redirect_uris: this.redirectUrl === undefined ? [] : [this.redirectUrl],
      grant_types: this.redirectUrl === undefined ? ['client_credentials'] : ['authorization_code', 'refresh_token'],
      response_types: this.redirectUrl === undefined ? [] : ['code'],
      ...(this.settings.scope !== undefined && { scope: this.settings.scope }),
    };
  }

  state(): string {
    return (this.sentState = randomUUID());
  }

  async clientInformation(context?: OAuthClientInformationContext): Promise<StoredOAuthClientInformation | undefined> {
    const { client, redirectUrl, tokens } = await this.ports.store.load();
    const { clientSecret } = this.settings;
    const clientId = this.ownClientId;
    if (clientId !== undefined) {
      // Stays with the authorization server that it was first sent to, whatever the MCP server names later.
      const bound = client?.issuer ?? tokens?.issuer;
      const issuer = bound ?? context?.issuer;
      if (context && issuer !== undefined && !isSameIssuer(issuer, context.issuer)) {
        throw new AuthorizationServerMismatchError(issuer, context.issuer);
      }
      const own = { client_id: clientId, ...(issuer !== undefined && { issuer }) };
      const isSentNext = this.page !== undefined || this.redirectUrl === undefined;
      if (isSentNext && client?.issuer === undefined && issuer !== undefined) await this.saveClientInformation(own);
      return { ...own, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
    }
    // A registration is only good for its redirect address, which differs between windows.
    return redirectUrl === this.redirectUrl || isDocument(client?.client_id) ? client : undefined;
  }

  async saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    if (client.client_secret !== undefined) this.ports.onSecrets([client.client_secret]);
    const { redirectUrl } = this;
    await this.update({ client, ...(redirectUrl !== undefined && { redirectUrl }) });
  }

  async tokens(): Promise<StoredOAuthTokens | undefined> {
    return (await this.ports.store.load()).tokens;
  }

  async saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    this.ports.onSecrets(secretsIn({ tokens }));
    // RFC 6749, section 5.1: a server may leave out the scope if it granted what was asked for.
    const scope = tokens.scope ?? this.page?.url.searchParams.get('scope') ?? (await this.tokens())?.scope;
    await this.update({ tokens: { ...tokens, ...(scope !== undefined && { scope }) } });
  }

  redirectToAuthorization(url: URL): void {
    this.page = { url, state: this.sentState };
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  codeVerifier(): string {
    return this.verifier;
  }

  async discoveryState(): Promise<OAuthDiscoveryState | undefined> {
    return (await this.ports.store.load()).discovery;
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): Promise<void> {
    return this.update({ discovery });
  }

  async invalidateCredentials(which: Credentials): Promise<void> {
    const { client, redirectUrl, tokens, discovery } = await this.ports.store.load();
    const isGone = (kind: Credentials): boolean => which === kind || which === 'all';
    // The user's own client isn't registered anew: what is stored of it is where it may be sent.
    const keepsClient = this.ownClientId !== undefined || !isGone('client');
    await this.ports.store.save({
      ...(client && keepsClient && { client, ...(redirectUrl !== undefined && { redirectUrl }) }),
      ...(tokens && !isGone('tokens') && { tokens }),
      ...(discovery && !isGone('discovery') && { discovery }),
    });
  }

  private async update(part: StoredLogin): Promise<void> {
    await this.ports.store.save({ ...(await this.ports.store.load()), ...part });
  }
}

/** Logs in with its own credentials: a secret, or a private key (RFC 6749, section 4.4; RFC 7523, section 2.2). No user is asked. */
export class OwnCredentials extends LoginProvider {
  readonly addClientAuthentication?: AddClientAuthentication;

  constructor(ports: LoginPorts, settings: OAuthSettings) {
    super(ports, settings, undefined);
    const { clientId = '', privateKey } = settings;
    if (privateKey === undefined) return;
    ports.onSecrets([privateKey]);
    const alg = algorithmFor(privateKey);
    this.addClientAuthentication = createPrivateKeyJwtAuth({ issuer: clientId, subject: clientId, privateKey, alg });
  }

  prepareTokenRequest(scope?: string): URLSearchParams {
    return new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) });
  }
}

/** The usual algorithm for a kind of key (RFC 7518, section 3.1; RFC 8037, section 3.1). */
function algorithmFor(pem: string): string {
  const { asymmetricKeyType: type, asymmetricKeyDetails } = createPrivateKey(pem);
  if (type === 'ed25519') return 'EdDSA';
  if (type !== 'ec') return 'RS256';
  const curve = asymmetricKeyDetails?.namedCurve;
  return curve === 'secp521r1' ? 'ES512' : curve === 'secp384r1' ? 'ES384' : 'ES256';
}

/** Everything in a stored login that must not appear in a log. */
export function secretsIn({ client, tokens }: StoredLogin): readonly string[] {
  const secrets = [tokens?.access_token, tokens?.refresh_token, tokens?.id_token, client?.client_secret];
  return secrets.filter((secret) => secret !== undefined);
}

/** Whether a client ID is the address of a client metadata document (SEP-991). */
function isDocument(clientId: string | undefined): clientId is string {
  return clientId?.startsWith('https://') === true;
}

/** Whether two issuers name one authorization server. A slash at the end is no difference, as for the official client. */
export function isSameIssuer(a: string | undefined, b: string): boolean {
  return a?.replace(/\/$/, '') === b.replace(/\/$/, '');
}
