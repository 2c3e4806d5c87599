import { AcpInterpreter } from './acp/acpInterpreter';
import type { Interpreter, InterpreterSink } from './interpreter';
import { LspInterpreter } from './lsp/lspInterpreter';
import { McpInterpreter } from './mcp/mcpInterpreter';
import { NdjsonLogInterpreter } from './ndjsonLog/ndjsonLogInterpreter';
import { StreamJsonInterpreter } from './streamJson/streamJsonInterpreter';

/**
 * The interpreter of a protocol, by its name in settings and journals; `log` is any program's log. One that is not known is read as ACP:
 * JSON-RPC, at any rate.
 */
export function interpreterFor(protocol: string, sink: InterpreterSink): Interpreter {
  switch (protocol) {
    case 'mcp':
      return new McpInterpreter(sink);
    case 'lsp':
      return new LspInterpreter(sink);
    case 'stream-json':
      return new StreamJsonInterpreter(sink);
    case 'log':
      return new NdjsonLogInterpreter(sink);
    default:
      return new AcpInterpreter(sink);
  }
}
