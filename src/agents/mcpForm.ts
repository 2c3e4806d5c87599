import type { SavedRoot } from './savedRoot';
import type { VariableValues } from './mcpVariables';

/** Where a client keeps the MCP servers that it starts, and how it writes them. `runs/mcpServers` reads and changes the files. */
export interface McpForm {
  /** Display name of the client, if it isn't the agent's. */
  readonly client?: string;
  readonly files: readonly McpFile[];
  /** Default: `plainEntry`. */
  readonly entry?: McpEntry;
  /** Replaces the client's variables in a text. Default: it has none. */
  readonly expand?: (text: string, values: VariableValues) => string;
}

/** A file, or several names for it that the client reads all. */
export interface McpFile {
  /** In a folder of the workspace, or below the first of the `roots` whose base is set. */
  readonly place: { readonly type: 'workspace' } | { readonly type: 'user'; readonly roots: readonly SavedRoot[] };
  /** Paths of names below that folder. */
  readonly paths: readonly (readonly string[])[];
  readonly syntax: 'json' | 'toml';
  /** Paths of keys to objects with servers. `workspaceKey` stands for folders of the workspace, and folders in them. */
  readonly tables: readonly (readonly string[])[];
  /** Paths of keys to lists of names: only the `allowed` servers are started, and none that is `excluded`. */
  readonly allowed?: readonly string[];
  readonly excluded?: readonly string[];
}

/** Stands for the path of a folder of the workspace. */
export const workspaceKey = '*';

/** The fields of a server's entry, by paths of keys. The first that exists counts. */
export interface McpEntry {
  readonly commands: readonly McpCommand[];
  readonly env: readonly string[];
  readonly urls: readonly string[];
  readonly headers: readonly string[];
  /** Fields that the client wants besides, of a server that it starts as a process. */
  readonly fixed?: Readonly<Record<string, unknown>>;
}

/** A program and its arguments in two fields, or in one list. */
export type McpCommand =
  | { readonly type: 'split'; readonly command: readonly string[]; readonly args: readonly string[] }
  | { readonly type: 'list'; readonly path: readonly string[] };

export const plainEntry: McpEntry = {
  commands: [{ type: 'split', command: ['command'], args: ['args'] }],
  env: ['env'],
  urls: ['url'],
  headers: ['headers'],
};

/** A file of the workspace with JSON. */
export function workspaceJson(table: string, ...paths: readonly (readonly string[])[]): McpFile {
  return { place: { type: 'workspace' }, paths, syntax: 'json', tables: [[table]] };
}

/** A file of the user with JSON. */
export function userJson(table: string, roots: readonly SavedRoot[], ...names: readonly string[]): McpFile {
  return { place: { type: 'user', roots }, paths: names.map((name) => [name]), syntax: 'json', tables: [[table]] };
}
