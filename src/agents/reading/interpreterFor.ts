import { AgentHostReader } from '../../protocols/agentHost/agentHostReader';
import { AcpReader } from '../../protocols/acp/acpReader';
import type { Interpreter, ReaderContext } from '../../protocols/interpreter';
import { acpExtensions } from '../agents';
import { agentHost } from './recognise';
import { LspReader } from '../../protocols/lsp/lspReader';
import { McpReader } from '../../protocols/mcp/mcpReader';
import { NdjsonLogInterpreter } from '../../protocols/ndjson/ndjsonLogInterpreter';
import { SavedInterpreter } from './saved/savedInterpreter';
import { StreamJsonInterpreter } from './streams/streamJsonInterpreter';
import { TraceInterpreter } from '../../protocols/traces/traceInterpreter';

/**
 * Creates the interpreter for a protocol named in settings or journals; `log` is any program's log, `saved` a session that an agent saved, `trace` spans of OpenTelemetry or Chrome. Unknown
 * protocols are read as ACP, because most are JSON-RPC.
 */
export function interpreterFor(protocol: string, context: ReaderContext): Interpreter {
  switch (protocol) {
    case 'mcp':
      return new McpReader(context);
    case 'lsp':
      return new LspReader(context);
    case 'stream-json':
      return new StreamJsonInterpreter(context);
    case 'saved':
      return new SavedInterpreter(context);
    case agentHost:
      return new AgentHostReader(context);
    case 'trace':
      return new TraceInterpreter(context);
    case 'log':
      return new NdjsonLogInterpreter(context);
    default:
      return new AcpReader(context, acpExtensions);
  }
}
