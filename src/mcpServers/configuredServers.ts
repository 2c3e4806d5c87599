import type { JsonObject } from '../text/json';
import { arrayOf, isObject, objectOf, textOf } from '../text/json';
import type { Words } from '../text/translator';
import type { McpCommand, McpEntry } from '../agents/mcpForm';
import { plainEntry, workspaceKey } from '../agents/mcpForm';
import type { TappedWords } from '../live/config/tapWords';
import { tappedWords } from '../live/config/tapWords';
import { WorkFolders } from '../past/saved/list/workFolders';
import type { ConfigNode } from './configNode';
import { memberAt, nodeAt, valueOf } from './configNode';
import type { ConfigFile, McpClient, ServerPlaces } from './configFiles';
import { configFiles } from './configFiles';
import { configText } from './configText';
import { lineAt } from './jsonConfig';
import { parseConfig, whyUnreadable } from './parseConfig';

/** An MCP server in the settings of a client, as written: variables aren't expanded. */
export interface ConfiguredServer {
  readonly name: string;
  readonly client: McpClient;
  readonly config: ConfigFile;
  /** Absolute path of the settings file. */
  readonly file: string;
  /** The keys of the entry in that file. */
  readonly path: readonly string[];
  /** The line of its name in that file, from 1. */
  readonly line: number;
  /** Where the client starts it: in one folder, or in all. */
  readonly scope: 'workspace' | 'user';
  /** Absolute path of that folder, in which it is started unless it has a `cwd`. */
  readonly folder?: string;
  /** False if the client's settings switch it off. */
  readonly isEnabled: boolean;
  /** True if it is started through the tap; `start` is the command behind it. */
  readonly isWatched: boolean;
  /** How its runs are recorded if it is watched. */
  readonly tap?: TapPlace;
  readonly start: ServerStart;
}

/** What the tap calls the runs of a server, and where it keeps their journals if not in the usual folder. */
export type TapPlace = Pick<TappedWords, 'name' | 'folder'>;

export type ServerStart =
  | {
      readonly type: 'process';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | {
      readonly type: 'http';
      /** Streamable HTTP, or HTTP+SSE of older servers. */
      readonly transport: 'http' | 'sse';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/** A file whose servers can't be read. */
export interface UnreadableConfig {
  readonly client: McpClient;
  readonly file: string;
  readonly message: Words;
}

export interface ConfiguredServers {
  readonly servers: readonly ConfiguredServer[];
  readonly problems: readonly UnreadableConfig[];
}

const maxServers = 500;

/** Reads the MCP servers of this workspace and user from the settings of all clients. Starts nothing. */
export async function configuredServers(places: ServerPlaces): Promise<ConfiguredServers> {
  const found = await Promise.all(configFiles(places).map((file) => serversOf(file, places)));
  return {
    servers: found.flatMap(({ servers }) => servers).slice(0, maxServers),
    problems: found.flatMap(({ problems }) => problems),
  };
}

/** Those of the workspace that belong to no particular agent: in `.vscode/mcp.json` and `.mcp.json`. */
export async function sharedServers(places: ServerPlaces): Promise<readonly ConfiguredServer[]> {
  const { servers } = await configuredServers(places);
  return servers.filter(
    ({ client, config }) => (client.id === 'vscode' || client.id === 'claude') && config.folder !== undefined,
  );
}

async function serversOf(file: ConfigFile, places: ServerPlaces): Promise<ConfiguredServers> {
  try {
    const text = await configText(file.path);
    return { servers: text === undefined ? [] : serversIn(text, file, places), problems: [] };
  } catch (error) {
    return { servers: [], problems: [{ client: file.client, file: file.path, message: whyUnreadable(error, file) }] };
  }
}

/**
 * The servers in the text of a file.
 * @throws ConfigError if it isn't well-formed
 */
function serversIn(text: string, file: ConfigFile, places: ServerPlaces): readonly ConfiguredServer[] {
  const { client, path, form } = file;
  const root = parseConfig(text, file);
  const entry = client.form.entry ?? plainEntry;
  const isListed = listed(root, file);
  return form.tables
    .flatMap((keys) => tablesAt(root, keys, file, places))
    .flatMap(({ keys, table, folder }) =>
      Object.entries(objectOf(valueOf(table))).flatMap(([name, value]) => {
        const settings = objectOf(value);
        const start = startOf(settings, entry);
        if (!start) return [];
        const { enabled, disabled } = settings;
        return [
          {
            name,
            client,
            config: file,
            file: path,
            path: [...keys, name],
            line: lineAt(text, memberAt(table, [name])?.key.last ?? 0),
            scope: folder === undefined ? ('user' as const) : ('workspace' as const),
            ...(folder !== undefined && { folder }),
            isEnabled: enabled !== false && disabled !== true && isListed(name),
            ...start,
          },
        ];
      }),
    );
}

interface ServerTable {
  readonly keys: readonly string[];
  readonly table: ConfigNode;
  readonly folder?: string;
}

/** The objects with servers at a path of keys. */
function tablesAt(
  root: ConfigNode,
  keys: readonly string[],
  { folder }: ConfigFile,
  places: ServerPlaces,
): readonly ServerTable[] {
  const split = keys.indexOf(workspaceKey);
  if (split < 0) {
    const table = nodeAt(root, keys);
    return table ? [{ keys, table, ...(folder !== undefined && { folder }) }] : [];
  }
  const [before, after] = [keys.slice(0, split), keys.slice(split + 1)];
  const open = new WorkFolders(places.folders, places.machine.platform, undefined);
  return Object.keys(objectOf(valueOf(nodeAt(root, before)))).flatMap((project) => {
    const own = [...before, project, ...after];
    const table = nodeAt(root, own);
    return table && open.has(project) ? [{ keys: own, table, folder: project }] : [];
  });
}

/** Whether lists of names in the file let a server start. */
export function listed(root: ConfigNode, { form: { allowed, excluded } }: ConfigFile): (name: string) => boolean {
  const names = (path: readonly string[] | undefined): readonly unknown[] | undefined => {
    const list = path && valueOf(nodeAt(root, path));
    return Array.isArray(list) ? list : undefined;
  };
  const [only, never] = [names(allowed), names(excluded) ?? []];
  return (name) => (only?.includes(name) ?? true) && !never.includes(name);
}

/** How the server is started; `undefined` if the entry only changes one that the client knows from elsewhere. */
function startOf(
  settings: JsonObject,
  entry: McpEntry,
): Pick<ConfiguredServer, 'start' | 'isWatched' | 'tap'> | undefined {
  const url = first(entry.urls, settings, textOf);
  const words = entry.commands.map((form) => wordsIn(settings, form)).find((found) => found !== undefined);
  if (words) {
    const tapped = tappedWords(words);
    const [command = '', ...args] = tapped?.words ?? words;
    const env = texts(first(entry.env, settings, objectIf) ?? objectIf(objectOf(settings['command'])['env']));
    const cwd = textOf(settings['cwd']);
    return {
      start: { type: 'process', command, args, env, ...(cwd !== undefined && { cwd }) },
      isWatched: tapped !== undefined,
      ...(tapped && { tap: { name: tapped.name, ...(tapped.folder !== undefined && { folder: tapped.folder }) } }),
    };
  }
  if (url === undefined) return undefined;
  return {
    start: {
      type: 'http',
      transport: settings['type'] === 'sse' ? 'sse' : 'http',
      url,
      headers: texts(first(entry.headers, settings, objectIf)),
    },
    isWatched: false,
  };
}

/** The program and its arguments. */
function wordsIn(settings: JsonObject, form: McpCommand): readonly string[] | undefined {
  const at = (path: readonly string[]): unknown => path.reduce<unknown>((value, key) => objectOf(value)[key], settings);
  if (form.type === 'split') {
    const command = textOf(at(form.command));
    return command === undefined ? undefined : [command, ...arrayOf(at(form.args)).map(String)];
  }
  const words = arrayOf(at(form.path)).map(String);
  return words.length === 0 ? undefined : words;
}

function first<T>(
  fields: readonly string[],
  settings: JsonObject,
  as: (value: unknown) => T | undefined,
): T | undefined {
  return fields.map((field) => as(settings[field])).find((value) => value !== undefined);
}

function objectIf(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** Numbers and booleans become texts, as the clients pass them on. */
function texts(object: JsonObject | undefined): Readonly<Record<string, string>> {
  const entries = Object.entries(object ?? {}).filter(([, value]) => value !== null && typeof value !== 'object');
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
