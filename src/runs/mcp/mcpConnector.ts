import type { Connector } from '../connection/agentConnection';
import type { RunSpec } from '../config/launchSpec';
import { isRemote } from '../config/launchSpec';
import type { McpClientOptions } from './mcpClient';
import { McpHttpConnection } from './http/mcpHttpConnection';
import { McpStdioConnection } from './mcpStdioConnection';
import type { ProcessReaper } from '../process/processReaper';

/** Starts an MCP server on stdin and stdout, or connects to one over HTTP. */
export function mcpConnector(spec: RunSpec, reaper: ProcessReaper, client: McpClientOptions): Connector {
  return async (wire) => {
    const library = await import('./mcpLibrary');
    if (isRemote(spec)) return new McpHttpConnection(library, spec, wire, client);
    return McpStdioConnection.start(library, spec, reaper, wire, client);
  };
}
