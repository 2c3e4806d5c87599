import type { McpTransports } from '../live/acp/dialect';
import type { JsonObject } from '../text/json';
import type { VariableValues } from '../agents/mcpVariables';
import type { ConfiguredServer } from './configuredServers';
import { asksUser, expandedStart } from './expandedStart';

export interface SessionServerOptions {
  readonly transports: McpTransports;
  /** The version of the Agent Client Protocol. */
  readonly version: 1 | 2;
  readonly values: VariableValues;
  /** The full path of a program; `undefined` if it isn't found. */
  readonly find: (command: string) => Promise<string | undefined>;
  /** What to put in front of a server's command. */
  readonly front?: (server: ConfiguredServer) => readonly string[];
}

/** An entry of `mcpServers` in `session/new`, and the values in it that may be secrets. */
export interface SessionServer {
  readonly entry: JsonObject;
  readonly secrets: readonly string[];
}

/**
 * Configured servers for a session of an ACP agent. Leaves out disabled ones, those with a transport that the agent doesn't support, those that
 * ask the user for something, programs that aren't found, and the second of two with one name.
 */
export async function sessionServers(
  servers: readonly ConfiguredServer[],
  options: SessionServerOptions,
): Promise<readonly SessionServer[]> {
  const named = new Map<string, ConfiguredServer>();
  for (const server of servers) if (server.isEnabled && !named.has(server.name)) named.set(server.name, server);
  const found = await Promise.all([...named.values()].map((server) => sessionServer(server, options)));
  return found.filter((server) => server !== undefined);
}

async function sessionServer(
  server: ConfiguredServer,
  { transports, version, values, find, front }: SessionServerOptions,
): Promise<SessionServer | undefined> {
  const { name } = server;
  if (asksUser(server)) return undefined;
  const start = expandedStart(server, values);
  if (start.type === 'http') {
    if (!transports[start.transport]) return undefined;
    const { headers } = start;
    const entry = { type: start.transport, name, url: start.url, headers: pairs(headers) };
    return { entry, secrets: Object.values(headers) };
  }
  if (!transports.stdio) return undefined;
  const { env } = start;
  const words = [start.command, ...start.args];
  const [first = '', ...args] = [...(front?.(server) ?? []), ...words];
  const [program, command] = await Promise.all([find(words[0] ?? ''), find(first)]);
  if (program === undefined || command === undefined) return undefined;
  const type = version === 2 ? { type: 'stdio' } : {};
  return { entry: { ...type, name, command, args, env: pairs(env) }, secrets: Object.values(env) };
}

function pairs(object: Readonly<Record<string, string>>): readonly JsonObject[] {
  return Object.entries(object).map(([name, value]) => ({ name, value }));
}
