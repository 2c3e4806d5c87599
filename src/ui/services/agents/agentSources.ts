import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { JsonObject } from '../../../text/json';
import { isObject, objectOf, textOf } from '../../../text/json';
import { expandPath } from '../../../machine/shellPath';
import { findProgram, searchDisk } from '../../../machine/findProgram';
import { foreignSetting } from '../configuration';
import { openFolders } from '../../kit/folders';
import type { AgentSources } from './agentChoices';
import type { KnownAgent } from '../../../agents/catalogue';
import { installation } from './catalogue';
import type { FoundAgent } from '../../../mcpServers/otherClients';
import { agentsOf, agentsOfClients, ofFolder, settingsIn } from '../../../mcpServers/otherClients';

/** The setting in which other ACP clients for VS Code keep their agents. */
const otherSetting = 'acp.agents';

/** Other clients' files, with the key of the servers in each: VS Code's, then Claude Code's and others'. */
const files = [
  { path: '.vscode/mcp.json', key: 'servers' },
  { path: '.mcp.json', key: 'mcpServers' },
] as const;
const maxBytes = 1024 * 1024;

/** Finds agents on the `PATH`, in the settings of other clients, and in the workspace, without starting any. */
export async function agentSources(): Promise<AgentSources> {
  const machine = { platform: process.platform, env: process.env, home: homedir() };
  const [known, clients, workspace] = await Promise.all([
    installation(findOnPath),
    agentsOfClients(machine),
    workspaceServers(),
  ]);
  const extensions = agentsOf(foreignSetting(otherSetting), otherSetting);
  return { ...known, otherClients: [...extensions, ...clients], workspace };
}

/** The catalog's agents that are on the `PATH`. */
export async function installedAgents(): Promise<readonly KnownAgent[]> {
  return (await installation(findOnPath)).installed;
}

/** Resolves a program to the executable that this window would start. */
export function findOnPath(program: string): Promise<string | undefined> {
  const folder = openFolders()[0]?.path;
  const { platform, env } = process;
  const command = expandPath(program, { platform, env, userHome: homedir() });
  return findProgram(command, searchDisk(env, folder ?? homedir()));
}

/** The MCP servers configured in the workspace's folders. Only reads the files. */
async function workspaceServers(): Promise<readonly FoundAgent[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const found = await Promise.all(
    folders.map(async ({ name, uri }) => {
      const servers = (await Promise.all(files.map((file) => serversIn(uri, file)))).flat();
      return folders.length < 2 ? servers : servers.map((server) => ofFolder(server, name));
    }),
  );
  return found.flat();
}

async function serversIn(folder: vscode.Uri, { path, key }: (typeof files)[number]): Promise<FoundAgent[]> {
  const bytes = await Promise.resolve(vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, path))).catch(
    () => undefined,
  );
  if (!bytes || bytes.length > maxBytes) return [];
  const servers = objectOf(settingsIn(Buffer.from(bytes).toString('utf8'))[key]);
  return Object.entries(servers).flatMap(([name, server]) => {
    const entry = isObject(server) ? entryOf(server) : undefined;
    return entry ? [{ name, source: path, entry }] : [];
  });
}

/** The fields that both formats share. Users must fill in values that the client would prompt for (`${input:…}`). */
function entryOf({ command, args, env, cwd, url, headers }: JsonObject): JsonObject | undefined {
  if (textOf(url) !== undefined) return { protocol: 'mcp', url, ...(isObject(headers) && { headers }) };
  if (textOf(command) === undefined) return undefined;
  return {
    protocol: 'mcp',
    command,
    ...(Array.isArray(args) && { args: args as unknown[] }),
    ...(isObject(env) && { env }),
    ...(textOf(cwd) !== undefined && { cwd }),
  };
}
