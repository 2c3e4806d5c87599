import type { RunProtocol } from '../../wire/protocol';
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

/** Creates the interpreter of a run. */
export function interpreterFor(protocol: RunProtocol, context: ReaderContext): Interpreter {
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
    case 'acp':
      return new AcpReader(context, acpExtensions);
  }
}
