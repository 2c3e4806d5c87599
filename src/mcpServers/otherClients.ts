import { posix, relative, sep, win32 } from 'node:path';
import { parse } from 'jsonc-parser';
import type { JsonObject } from '../text/json';
import { isObject, objectOf, textOf } from '../text/json';
import type { NamedFolder } from '../live/config/launchSpec';
import { readWhole } from '../machine/wholeFile';
import type { Machine } from '../past/saved/list/agentFolders';
import type { ServerStart } from './configuredServers';
import { sharedServers } from './configuredServers';

/** An agent or a server from another client's settings. */
export interface FoundAgent {
  readonly name: string;
  /** Display name of the file it comes from, such as `.vscode/mcp.json`. */
  readonly source: string;
  /** An entry for `agentLogs.agents`. */
  readonly entry: JsonObject;
}

/** Determines where other clients keep their files. */
export interface ClientMachine {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** An absolute path. */
  readonly home: string;
}

/** Another client's settings file: JSON with comments, with agents under `agent_servers`. */
export interface ClientFile {
  /** Display name. */
  readonly source: string;
  readonly path: string;
}

const maxBytes = 1024 * 1024;
const maxAgents = 100;

/** Where Zed (https://zed.dev/docs/ai/external-agents) and JetBrains IDEs ("Agent Client Protocol") keep their agents. */
export function clientFiles({ platform, env, home }: ClientMachine): readonly ClientFile[] {
  const path = platform === 'win32' ? win32 : posix;
  return [
    { source: 'Zed', path: path.join(zedFolder({ platform, env, home }), 'settings.json') },
    { source: 'JetBrains', path: path.join(home, '.jetbrains', 'acp.json') },
  ];
}

function zedFolder({ platform, env, home }: ClientMachine): string {
  if (platform === 'win32') return win32.join(textOf(env['APPDATA']) ?? win32.join(home, 'AppData', 'Roaming'), 'Zed');
  const base =
    platform === 'darwin' ? undefined : (textOf(env['FLATPAK_XDG_CONFIG_HOME']) ?? textOf(env['XDG_CONFIG_HOME']));
  return posix.join(base ?? posix.join(home, '.config'), 'zed');
}

/** The agents in the settings of other clients on this machine. Only reads the files. */
export async function agentsOfClients(machine: ClientMachine): Promise<readonly FoundAgent[]> {
  const found = await Promise.all(
    clientFiles(machine).map(async ({ source, path }) => agentsIn(await readWhole(path, maxBytes), source)),
  );
  return found.flat();
}

/** The agents in the text of a settings file; none if it can't be parsed. */
export function agentsIn(text: string | undefined, source: string): readonly FoundAgent[] {
  return text === undefined ? [] : agentsOf(settingsIn(text)['agent_servers'], source);
}

/** Reads agents from an object keyed by name, or from an array of objects with names: extensions use both for `acp.agents`. */
export function agentsOf(agents: unknown, source: string): readonly FoundAgent[] {
  const named: readonly (readonly [unknown, unknown])[] = Array.isArray(agents)
    ? agents.map((agent: unknown) => [objectOf(agent)['name'], agent])
    : Object.entries(objectOf(agents));
  return named.slice(0, maxAgents).flatMap(([name, agent]) => {
    const entry = entryOf(objectOf(agent));
    return textOf(name) !== undefined && entry ? [{ name: String(name), source, entry }] : [];
  });
}

/** Skips agents without a command, which the client installs. Older versions of Zed nest the fields inside `command`. */
function entryOf(agent: JsonObject): JsonObject | undefined {
  if (isObject(agent['command'])) return entryOf({ ...agent['command'], command: agent['command']['path'] });
  const { command, args, env, cwd } = agent;
  if (textOf(command) === undefined) return undefined;
  return {
    command,
    ...(Array.isArray(args) && args.length > 0 && { args: args as unknown[] }),
    ...(isObject(env) && Object.keys(env).length > 0 && { env }),
    ...(textOf(cwd) !== undefined && { cwd }),
  };
}

/** The MCP servers that the workspace's folders have for any client, with the command behind the tap. Only reads the files. */
export async function workspaceServers(
  folders: readonly NamedFolder[],
  machine: Machine,
): Promise<readonly FoundAgent[]> {
  const servers = await sharedServers({ machine, folders: folders.map((folder) => folder.path) });
  return folders.flatMap((folder) =>
    servers
      .filter(({ config }) => config.folder === folder.path)
      .map(({ name, file, start }): FoundAgent => {
        const found = { name, source: relative(folder.path, file).replaceAll(sep, '/'), entry: entryOfServer(start) };
        return folders.length < 2 ? found : ofFolder(found, folder.name);
      }),
  );
}

/** Users must fill in values that the client would prompt for (`${input:…}`). */
function entryOfServer(start: ServerStart): JsonObject {
  if (start.type === 'process') return { protocol: 'mcp', ...entryOf({ ...start }) };
  const { url, headers } = start;
  return { protocol: 'mcp', url, ...(Object.keys(headers).length > 0 && { headers }) };
}

/** Adds the folder to the name if there are several, and makes `${workspaceFolder}` refer to it. */
export function ofFolder({ name, source, entry }: FoundAgent, folder: string): FoundAgent {
  const variable = `\${workspaceFolder:${folder}}`;
  const named = JSON.parse(
    JSON.stringify(entry).replaceAll('${workspaceFolder}', () => JSON.stringify(variable).slice(1, -1)),
  ) as JsonObject;
  const cwd = 'url' in named || 'cwd' in named ? {} : { cwd: variable };
  return { name, source: `${folder}/${source}`, entry: { ...named, ...cwd } };
}

/** Parses a settings file: JSON with comments. Returns an empty object if it isn't an object, or is nested too deeply. */
function settingsIn(text: string): JsonObject {
  try {
    return objectOf(parse(text));
  } catch {
    return {};
  }
}
