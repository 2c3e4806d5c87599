import type { AcpExtension } from '../protocols/acp/extension';
import type { AgentStream, StreamVariant } from './reading/streams/agentStream';
import type { McpForm } from './mcpForm';
import type { SavedForm } from './savedForm';

/** What is known about one vendor's agent. */
export interface Agent {
  readonly id: string;
  /** Display name. */
  readonly label: string;
  /** ID of the agent whose formats it varies, or whose stream begins alike. It is recognized before that one. */
  readonly variantOf?: string;
  /** The JSON stream that it prints. */
  readonly stream?: AgentStream | StreamVariant;
  /** The sessions that it saves. */
  readonly saved?: SavedForm;
  /** The MCP servers that it starts. */
  readonly mcp?: McpForm;
  readonly acp?: AcpProgram;
  /** What it adds to that protocol. */
  readonly extension?: AcpExtension;
}

/** A program that speaks the Agent Client Protocol, with its documented command line. */
export interface AcpProgram {
  /** As in the ACP registry, if it isn't the agent's. */
  readonly name?: string;
  readonly commandLine: string;
  /** The command that installs it, or the URL of its instructions. */
  readonly install: string;
}
