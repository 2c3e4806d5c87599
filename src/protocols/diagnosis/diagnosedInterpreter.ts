import { interpreterFor } from '../interpreterFor';
import type { Interpreter, InterpreterSink } from '../interpreter';
import type { SpokenProtocol } from '../spokenProtocol';
import { Diagnoser } from './diagnoser';
import { ruleSetFor } from './ruleSets';
import type { Patience } from './patience';

const diagnosed: ReadonlySet<string> = new Set<SpokenProtocol>(['acp', 'mcp', 'lsp', 'stream-json']);

/** The interpreter of a protocol, as `interpreterFor` has it, which also says what is wrong. A program's log has nothing to be judged by. */
export function diagnosedInterpreter(protocol: string, sink: InterpreterSink, patience?: Patience): Interpreter {
  if (!isDiagnosed(protocol)) return interpreterFor(protocol, sink);
  return new Diagnoser(sink, ruleSetFor(protocol, patience), (inner) => interpreterFor(protocol, inner));
}

function isDiagnosed(protocol: string): protocol is SpokenProtocol {
  return diagnosed.has(protocol);
}
