import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface OAuthServerOptions {
  /** Accepts only redirect addresses on this machine. */
  readonly loopbackOnly?: boolean;
  /** Refuses registrations of clients. */
  readonly closed?: boolean;
  /** The user presses "Deny". */
  readonly denies?: boolean;
  /** The `iss` of the answers of its login page. */
  readonly issuer?: string;
  /** Replaces parts of its metadata. */
  readonly metadata?: object;
  /** Where its metadata is said to be. */
  readonly resourceMetadata?: string;
  /** Where it redirects requests to, by path. */
  readonly redirects?: Readonly<Record<string, string>>;
  /** A client that was registered by hand. */
  readonly client?: { readonly id: string; readonly redirectUri: RegExp };
}

interface Client {
  readonly redirectUris: readonly string[];
}

interface Grant {
  readonly redirectUri: string;
  readonly challenge: string;
  readonly scope: string;
}

/** An authorization server, and the guard of the MCP server beside it, which lets only those in that have a token. */
export class OAuthServer {
  readonly clients = new Map<string, Client>();
  /** The scope of every token that is valid, by token. */
  readonly tokens = new Map<string, string>();
  /** `METHOD path` of every request. */
  readonly requests: string[] = [];
  /** Tools that need a scope of their own, by name. */
  readonly scopes = new Map<string, string>();
  private readonly refreshTokens = new Map<string, string>();
  private readonly codes = new Map<string, Grant>();

  constructor(private readonly options: OAuthServerOptions = {}) {}

  /** Makes all access tokens invalid; they can be refreshed. */
  expire(): void {
    this.tokens.clear();
  }

  /** Makes all tokens invalid. */
  revoke(): void {
    this.expire();
    this.refreshTokens.clear();
  }

  /** Returns whether the request was answered: it was for the authorization server, or had no token. */
  answer({ method = '', url = '', headers }: IncomingMessage, response: ServerResponse, body: string): boolean {
    const origin = `http://${headers.host ?? ''}`;
    const { pathname, searchParams } = new URL(url, origin);
    this.requests.push(`${method} ${pathname}`);
    const json = (value: object, status = 200): true => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
      return true;
    };
    const elsewhere = this.options.redirects?.[pathname];
    if (elsewhere !== undefined) {
      response.writeHead(307, { location: elsewhere }).end();
      return true;
    }
    switch (pathname) {
      case '/.well-known/oauth-protected-resource/mcp':
        return json({ resource: `${origin}/mcp`, authorization_servers: [origin], scopes_supported: ['read'] });
      case '/.well-known/oauth-authorization-server':
        return json({ ...metadata(origin), ...this.options.metadata });
      case '/register':
        return this.register(JSON.parse(body) as { redirect_uris: string[] }, json);
      case '/authorize':
        response.writeHead(302, { location: this.authorize(searchParams, origin).href }).end();
        return true;
      case '/token':
        return this.grant(new URLSearchParams(body), json);
      default:
        return this.guard(headers.authorization, body, response, origin);
    }
  }

  private register(asked: { readonly redirect_uris: string[] }, json: (value: object, status?: number) => true): true {
    const isLoopback = asked.redirect_uris.every((uri) => uri.startsWith('http://127.0.0.1:'));
    if (this.options.closed === true || (this.options.loopbackOnly === true && !isLoopback)) {
      return json({ error: 'invalid_redirect_uri', error_description: 'This address is not allowed.' }, 400);
    }
    const id = `client-${this.clients.size + 1}`;
    this.clients.set(id, { redirectUris: asked.redirect_uris });
    return json({ ...asked, client_id: id, token_endpoint_auth_method: 'none' }, 201);
  }

  private authorize(query: URLSearchParams, origin: string): URL {
    const redirectUri = query.get('redirect_uri') ?? '';
    const client = this.clients.get(query.get('client_id') ?? '');
    const own = this.options.client;
    const isOwn = own?.id === query.get('client_id') && own.redirectUri.test(redirectUri);
    if (!isOwn && client?.redirectUris.includes(redirectUri) !== true) {
      throw new Error(`not registered: ${redirectUri}`);
    }
    const back = new URL(redirectUri);
    back.searchParams.set('state', query.get('state') ?? '');
    back.searchParams.set('iss', this.options.issuer ?? origin);
    if (this.options.denies === true) {
      back.searchParams.set('error', 'access_denied');
      return back;
    }
    // With characters that must survive the way through an address.
    const code = `${randomUUID()}+/%=`;
    const scope = query.get('scope') ?? '';
    this.codes.set(code, { redirectUri, challenge: query.get('code_challenge') ?? '', scope });
    back.searchParams.set('code', code);
    return back;
  }

  private grant(asked: URLSearchParams, json: (value: object, status?: number) => true): true {
    const refreshToken = asked.get('refresh_token') ?? '';
    const scope =
      asked.get('grant_type') === 'refresh_token' ? this.refreshTokens.get(refreshToken) : this.scopeOf(asked);
    if (scope === undefined) return json({ error: 'invalid_grant' }, 400);
    this.refreshTokens.delete(refreshToken);
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    this.tokens.set(access, scope);
    this.refreshTokens.set(refresh, scope);
    return json({ access_token: access, token_type: 'Bearer', expires_in: 3600, refresh_token: refresh });
  }

  private scopeOf(asked: URLSearchParams): string | undefined {
    const code = asked.get('code') ?? '';
    const grant = this.codes.get(code);
    this.codes.delete(code);
    const challenge = createHash('sha256')
      .update(asked.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight = grant?.challenge === challenge && grant.redirectUri === asked.get('redirect_uri');
    return isRight ? grant.scope : undefined;
  }

  private guard(authorization: string | undefined, body: string, response: ServerResponse, origin: string): boolean {
    const place = this.options.resourceMetadata ?? `${origin}/.well-known/oauth-protected-resource/mcp`;
    const metadataUrl = `resource_metadata="${place}"`;
    const scope = this.tokens.get(authorization?.replace('Bearer ', '') ?? '');
    const refuse = (status: number, challenge: string): true => {
      response.writeHead(status, { 'www-authenticate': `Bearer ${challenge}, ${metadataUrl}` }).end();
      return true;
    };
    if (scope === undefined) return refuse(401, 'scope="read"');
    const [, tool = ''] = /"method":"tools\/call".*"name":"([^"]+)"/.exec(body) ?? [];
    const needed = this.scopes.get(tool);
    if (needed === undefined || scope.split(' ').includes(needed)) return false;
    return refuse(403, `error="insufficient_scope", scope="${needed}"`);
  }
}

function metadata(origin: string): object {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
  };
}
