import type { SecretStorage } from 'vscode';
import { isObject } from '../../../text/json';
import type { RemoteSpec } from '../../../live/config/launchSpec';
import type { LoginStore, StoredLogin } from '../../../live/mcp/login/loginPorts';

/** Logins are keyed by server and client, not by the name in the settings. */
type Server = Pick<RemoteSpec, 'url' | 'oauth'>;

/** Stores logins to MCP servers in VS Code's secret storage, which all windows share. */
export class SecretLogins {
  /** Cached, because every request needs its token. */
  private readonly known = new Map<string, Promise<StoredLogin>>();

  constructor(private readonly secrets: SecretStorage) {
    // Other windows may log in, log out, or refresh a token.
    secrets.onDidChange(({ key }) => this.known.delete(key));
  }

  storeFor(spec: Server): LoginStore {
    const key = keyOf(spec);
    return { load: () => this.load(key), save: (login) => this.save(key, login) };
  }

  async isLoggedIn(spec: Server): Promise<boolean> {
    const { client, tokens } = await this.load(keyOf(spec));
    // Logging out also makes a client forget which authorization server it is for.
    return tokens !== undefined || client !== undefined;
  }

  async forget(spec: Server): Promise<void> {
    const key = keyOf(spec);
    this.known.delete(key);
    await this.secrets.delete(key);
  }

  private load(key: string): Promise<StoredLogin> {
    const known = this.known.get(key) ?? this.read(key);
    this.known.set(key, known);
    return known;
  }

  private async read(key: string): Promise<StoredLogin> {
    try {
      const login: unknown = JSON.parse((await this.secrets.get(key)) ?? '{}');
      return isObject(login) ? login : {};
    } catch {
      return {}; // unreadable after the keyring changed: the user must log in again
    }
  }

  private async save(key: string, login: StoredLogin): Promise<void> {
    this.known.set(key, Promise.resolve(login));
    await this.secrets.store(key, JSON.stringify(login));
  }
}

function keyOf({ url, oauth }: Server): string {
  return `mcpLogin:${JSON.stringify([url, oauth?.clientId ?? ''])}`;
}
