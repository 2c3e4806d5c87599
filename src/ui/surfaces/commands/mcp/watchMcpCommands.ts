import { commandIds } from '../../../manifest/commands';
import type { CommandTable } from '../commandContext';

/** Commands that change the MCP servers in the settings of other clients. */
export const watchMcpCommands = {
  // The parsers of settings files are large.
  [commandIds.watchMcpServers]: async ({ mcpServers, tap, configuration }) => {
    const { redactorFor } = await import('../../../../redact/redactorFor');
    const { watchServers } = await import('../../../services/mcp/watchServers');
    return watchServers(mcpServers, tap, redactorFor(configuration.ownRedaction));
  },
  [commandIds.stopWatchingMcpServers]: async ({ mcpServers, configuration }) => {
    const { redactorFor } = await import('../../../../redact/redactorFor');
    const { stopWatchingServers } = await import('../../../services/mcp/watchServers');
    return stopWatchingServers(mcpServers, redactorFor(configuration.ownRedaction));
  },
  [commandIds.addToAgent]: async ({ mcpServers, agentServer, errors }) => {
    const { addToAgent } = await import('../../../services/mcp/addToAgent');
    return addToAgent(mcpServers, agentServer, errors);
  },
} satisfies CommandTable;
