import { posix, win32 } from 'node:path';
import type { AgentId } from '../agents/agents';
import { agents } from '../agents/agents';
import type { McpFile, McpForm } from '../agents/mcpForm';
import type { Machine } from '../past/saved/list/agentFolders';
import { rootFolders } from '../past/saved/list/agentFolders';

/** A client that starts MCP servers. */
export interface McpClient {
  readonly id: AgentId;
  /** Display name. */
  readonly label: string;
  readonly form: McpForm;
}

/** Where to look for servers. */
export interface ServerPlaces {
  readonly machine: Machine;
  /** Absolute paths of the workspace's folders. */
  readonly folders: readonly string[];
}

/** A settings file of a client. It needn't exist. */
export interface ConfigFile {
  readonly client: McpClient;
  /** An absolute path. */
  readonly path: string;
  readonly form: McpFile;
  /** The folder of the workspace that it is in. */
  readonly folder?: string;
}

const mcpClients: readonly McpClient[] = agents.flatMap(({ id, label, mcp }) =>
  mcp ? [{ id, label: mcp.client ?? label, form: mcp }] : [],
);

/** All files that may have servers of the workspace or the user. */
export function configFiles({ machine, folders }: ServerPlaces): readonly ConfigFile[] {
  return mcpClients.flatMap((client) =>
    client.form.files.flatMap((form) => {
      const { place } = form;
      return place.type === 'workspace'
        ? folders.flatMap((folder) => filesIn(client, form, folder, machine).map((file) => ({ ...file, folder })))
        : rootFolders(place.roots, machine)
            .slice(0, 1)
            .flatMap((root) => filesIn(client, form, root, machine));
    }),
  );
}

function filesIn(client: McpClient, form: McpFile, folder: string, { platform }: Machine): readonly ConfigFile[] {
  const path = platform === 'win32' ? win32 : posix;
  return form.paths.map((names) => ({ client, form, path: path.join(folder, ...names) }));
}
