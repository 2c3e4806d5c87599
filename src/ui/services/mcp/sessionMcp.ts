import * as vscode from 'vscode';
import type { JsonObject } from '../../../text/json';
import type { Redactor } from '../../../redact/redactor';
import type { Dialect } from '../../../live/acp/dialect';
import type { ProcessDefinition } from '../../../live/config/launchSpec';
import { frontOf } from '../../../mcpServers/configChange';
import type { ConfiguredServer } from '../../../mcpServers/configuredServers';
import { sharedServers } from '../../../mcpServers/configuredServers';
import { sessionServers } from '../../../mcpServers/sessionServers';
import { WorkFolders } from '../../../past/saved/list/workFolders';
import { findOnPath } from '../agents/agentSources';
import type { InstalledTap } from '../installedTap';
import type { McpServers } from './mcpServers';

/** The session that the servers are for. */
export interface SessionOfAgent {
  readonly agent: ProcessDefinition;
  readonly cwd: string;
  readonly dialect: Dialect;
  /** The response to `initialize`. */
  readonly initialized: JsonObject;
  /** Learns the values of variables and headers, which the request has. */
  readonly redactor: Redactor | undefined;
}

/** The MCP servers of the workspace for a session, as the agent's settings say. */
export async function serversForSession(
  { agent, cwd, dialect, initialized, redactor }: SessionOfAgent,
  servers: McpServers,
  tap: InstalledTap,
): Promise<readonly JsonObject[]> {
  if (agent.mcpServers === undefined || !vscode.workspace.isTrusted) return [];
  const { machine, folders } = servers.places;
  const own = folders.filter((folder) => new WorkFolders([folder], machine.platform, undefined).has(cwd));
  const wanted = await sharedServers({ machine, folders: own.length > 0 ? own : [cwd] });
  const isTapped = (server: ConfiguredServer): boolean => agent.mcpServers === 'watch' || server.isWatched;
  const cli = wanted.some(isTapped) ? await tap.make() : '';
  const given = await sessionServers(wanted, {
    transports: dialect.mcpTransports(initialized),
    version: dialect.version,
    values: { env: machine.env, userHome: machine.home, workspaceFolder: own[0] ?? cwd },
    find: findOnPath,
    front: (server) => (isTapped(server) ? frontOf(server, cli) : []),
  });
  redactor?.learn(given.flatMap(({ secrets }) => secrets));
  return given.map(({ entry }) => entry);
}
