import type { Connector } from '../connection/agentConnection';
import type { RunSpec } from '../config/launchSpec';
import { isRemote } from '../config/launchSpec';
import type { McpClientOptions } from './mcpClient';
import type { ProcessReaper } from '../process/processReaper';

/** Starts an MCP server on stdin and stdout, or connects to one over HTTP. The official client library is large, so it's loaded on first use. */
export function mcpConnector(spec: RunSpec, reaper: ProcessReaper, client: McpClientOptions): Connector {
  return async (wire) => {
    if (isRemote(spec)) {
      const { McpHttpConnection } = await import('./http/mcpHttpConnection');
      return new McpHttpConnection(spec, wire, client);
    }
    const { McpStdioConnection } = await import('./mcpStdioConnection');
    return McpStdioConnection.start(spec, reaper, wire, client);
  };
}
