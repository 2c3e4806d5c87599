import * as vscode from 'vscode';
import type { Disposable } from '../../kit/disposables';
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

/** The part of VS Code that lists servers of extensions. */
interface McpHost {
  readonly lm: Pick<typeof vscode.lm, 'registerMcpServerDefinitionProvider'>;
  readonly McpStdioServerDefinition: typeof vscode.McpStdioServerDefinition;
}

/** Offers the server to VS Code, which starts it if the user wants. Nothing is written or loaded before. */
export function offerAgentServer(
  server: AgentServer,
  local: Pick<LocalSessions, 'isShown'>,
  version: string,
  { lm, McpStdioServerDefinition: Definition }: McpHost = vscode,
): Disposable {
  const provider: vscode.McpServerDefinitionProvider<vscode.McpStdioServerDefinition> = {
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
  return lm.registerMcpServerDefinitionProvider(agentServerProvider, provider);
}
