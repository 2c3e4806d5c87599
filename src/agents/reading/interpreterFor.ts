import { AgentHostReader } from '../../protocols/agentHost/agentHostReader';
import { AcpReader } from '../../protocols/acp/acpReader';
import type { Interpreter, InterpreterSink } from '../../protocols/interpreter';
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
export function interpreterFor(protocol: string, sink: InterpreterSink): Interpreter {
  switch (protocol) {
    case 'mcp':
      return new McpReader(sink);
    case 'lsp':
      return new LspReader(sink);
    case 'stream-json':
      return new StreamJsonInterpreter(sink);
    case 'saved':
      return new SavedInterpreter(sink);
    case agentHost:
      return new AgentHostReader(sink);
    case 'trace':
      return new TraceInterpreter(sink);
    case 'log':
      return new NdjsonLogInterpreter(sink);
    default:
      return new AcpReader(sink);
  }
}
