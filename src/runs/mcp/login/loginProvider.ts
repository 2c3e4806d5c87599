import type {
  AddClientAuthentication,
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { createPrivateKeyJwtAuth } from '@modelcontextprotocol/client';
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
    const { client, redirectUrl } = await this.ports.store.load();
    const { clientId, clientSecret } = this.settings;
    if (clientId !== undefined && !isDocument(clientId)) {
      // Stays with the authorization server it was first used at.
      const issuer = client?.client_id === clientId ? client.issuer : context?.issuer;
      return {
        client_id: clientId,
        ...(clientSecret !== undefined && { client_secret: clientSecret }),
        ...(issuer !== undefined && { issuer }),
      };
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
    await this.ports.store.save({
      ...(client && !isGone('client') && { client, ...(redirectUrl !== undefined && { redirectUrl }) }),
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
