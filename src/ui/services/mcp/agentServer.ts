import * as vscode from 'vscode';
import type { Disposable } from '../../kit/disposables';
import { Disposables } from '../../kit/disposables';
import { agentServerProvider } from '../../manifest/names';
import type { InstalledTap } from '../installedTap';
import type { LocalSessions } from '../localSessions';

/** The MCP server with which agents read what they and others did: `agent-logs mcp`. */
export class AgentServer {
  /** @param journals the folder of this window's journals */
  constructor(
    private readonly tap: Pick<InstalledTap, 'make'>,
    private readonly journals: string,
  ) {}

  /** The arguments of Node.js. Writes the program and the user's redaction patterns. */
  async args(): Promise<readonly string[]> {
    return [await this.tap.make(), 'mcp', '--journals', this.journals];
  }
}

/** What VS Code 1.101 and later have for servers of extensions. */
interface McpHost {
  readonly lm: {
    registerMcpServerDefinitionProvider?(id: string, provider: DefinitionProvider): Disposable;
  };
  readonly McpStdioServerDefinition?: new (
    label: string,
    command: string,
    args: string[],
    env: Record<string, string>,
    version: string,
  ) => StdioDefinition;
}

interface StdioDefinition {
  args: string[];
  cwd?: vscode.Uri;
}

interface DefinitionProvider {
  provideMcpServerDefinitions(): StdioDefinition[];
  resolveMcpServerDefinition(definition: StdioDefinition): Promise<StdioDefinition>;
}

/** Offers the server to VS Code, which starts it if the user wants. Nothing is written or loaded before. */
export function offerAgentServer(
  server: AgentServer,
  local: Pick<LocalSessions, 'isShown'>,
  version: string,
  // The types are those of the oldest supported version.
  host = vscode as unknown as McpHost,
): Disposable {
  const disposables = new Disposables();
  const { lm, McpStdioServerDefinition: Definition } = host;
  if (!lm.registerMcpServerDefinitionProvider || !Definition) return disposables;
  const provider: DefinitionProvider = {
    provideMcpServerDefinitions: () => {
      if (!local.isShown) return [];
      const definition = new Definition('Agent Logs', process.execPath, [], { ELECTRON_RUN_AS_NODE: '1' }, version);
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
      if (folder) definition.cwd = folder;
      return [definition];
    },
    resolveMcpServerDefinition: async (definition) => {
      definition.args = [...(await server.args())];
      return definition;
    },
  };
  disposables.add(lm.registerMcpServerDefinitionProvider(agentServerProvider, provider));
  return disposables;
}
