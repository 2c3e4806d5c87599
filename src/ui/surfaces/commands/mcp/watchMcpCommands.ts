import { commandIds } from '../../../kit/ids';
import type { CommandTable } from '../commandContext';

/** Commands that put the tap in front of MCP servers which other clients start. */
export const watchMcpCommands = {
  // The parsers of settings files are large.
  [commandIds.watchMcpServers]: async ({ mcpServers, tap }) => {
    const { watchServers } = await import('../../../services/mcp/watchServers');
    return watchServers(mcpServers, tap);
  },
  [commandIds.stopWatchingMcpServers]: async ({ mcpServers }) => {
    const { stopWatchingServers } = await import('../../../services/mcp/watchServers');
    return stopWatchingServers(mcpServers);
  },
} satisfies CommandTable;
