import { interpretation } from '../../runLog/reading/interpretation';
import type { Protocol } from '../../wire/protocol';
import type { Timeouts } from '../../diagnosis/timeouts';
import type { AcpClientOptions } from '../acp/acpClient';
import { acpConnector } from '../acp/acpConnector';
import type { Connector } from './agentConnection';
import type { RunDefinition, RunSpec } from '../config/launchSpec';
import { isRemote } from '../config/launchSpec';
import type { LspClientOptions } from '../lsp/lspAgent';
import { lspConnector } from '../lsp/lspConnector';
import type { McpClientOptions } from '../mcp/mcpClient';
import type { ProcessReaper } from '../process/processReaper';
import type { RunOptions } from '../runOptions';
import { streamConnector } from './streamConnector';

export interface ConnectorOptions {
  readonly reaper: ProcessReaper;
  readonly acp: AcpClientOptions;
  readonly mcp: McpClientOptions;
  readonly lsp: LspClientOptions;
  /** How long an agent may be silent before that is reported. */
  readonly timeouts?: Timeouts;
}

/** The interpreter and connector for an agent's protocol. */
export function protocolSupport(
  agent: RunDefinition,
  spec: RunSpec,
  options: ConnectorOptions,
): Pick<RunOptions, 'interpretation' | 'connect'> {
  const { protocol } = agent;
  return {
    interpretation: (sink) => interpretation(protocol, sink, options.timeouts),
    connect: connectorOf(protocol, spec, options),
  };
}

function connectorOf(protocol: Protocol, spec: RunSpec, { reaper, acp, mcp, lsp }: ConnectorOptions): Connector {
  if (protocol === 'mcp' || isRemote(spec)) return mcpConnector(spec, reaper, mcp);
  if (protocol === 'lsp') return lspConnector(spec, reaper, lsp);
  return protocol === 'stream-json' ? streamConnector(spec, reaper) : acpConnector(spec, reaper, acp);
}

/** The official MCP client is large, so it's loaded on first use. */
function mcpConnector(spec: RunSpec, reaper: ProcessReaper, options: McpClientOptions): Connector {
  return async (wire) => {
    if (isRemote(spec)) {
      const { McpHttpConnection } = await import('../mcp/http/mcpHttpConnection');
      return new McpHttpConnection(spec, wire, options);
    }
    const { McpStdioConnection } = await import('../mcp/mcpStdioConnection');
    return McpStdioConnection.start(spec, reaper, wire, options);
  };
}
