import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Redirect } from './loginPorts';
import { StateWaiters } from './stateWaiters';

const path = '/callback';
const page = (text: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Agent Logs</title><p style="font:16px system-ui;margin:4em">${text}</p>`;

/** A redirect address on this machine, for authorization servers that accept no other (RFC 8252, section 7.3). */
export class LoopbackRedirect implements Redirect {
  private readonly waiters = new StateWaiters();
  private readonly server = createServer((request, response) => this.serve(request, response));

  private constructor(private address: URL) {}

  /** @param toExternal makes the address reachable for the browser */
  static async listen(toExternal: (address: URL) => Promise<URL>): Promise<LoopbackRedirect> {
    const redirect = new LoopbackRedirect(new URL(`http://127.0.0.1${path}`));
    const { server } = redirect;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    try {
      redirect.address.port = String((server.address() as AddressInfo).port);
      redirect.address = await toExternal(redirect.address);
      return redirect;
    } catch (error) {
      redirect.dispose();
      throw error;
    }
  }

  get url(): string {
    return this.address.href;
  }

  wait(state: string, signal: AbortSignal): Promise<URLSearchParams> {
    return this.waiters.wait(state, signal);
  }

  dispose(): void {
    this.server.close();
    this.server.closeIdleConnections();
  }

  private serve({ method, url = '' }: IncomingMessage, response: ServerResponse): void {
    // Any page can send requests here, with any path: `//` is no URL.
    const visited = URL.canParse(url, this.address.href) ? new URL(url, this.address) : undefined;
    const isTaken = method === 'GET' && visited?.pathname === path && this.waiters.accept(visited.searchParams);
    const text = isTaken ? 'You can close this page and return to the editor.' : 'No login is waiting for this page.';
    response
      .writeHead(isTaken ? 200 : 404, { 'content-type': 'text/html; charset=utf-8', connection: 'close' })
      .end(page(text));
  }
}
