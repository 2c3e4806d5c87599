import { interpreterFor } from '../protocols/interpreterFor';
import type { Interpreter, InterpreterSink } from '../protocols/interpreter';
import { isProtocol } from '../log/protocol';
import { Diagnoser } from './diagnoser';
import { ruleSetFor } from './ruleSets';
import type { Timeouts } from './timeouts';
import type { DiagnosisSink } from './sessionSummary';

/** The interpreter of a protocol, with diagnoses. Program logs get none. */
export function diagnosedInterpreter(protocol: string, sink: DiagnosisSink, timeouts?: Timeouts): Interpreter {
  const read = (inner: InterpreterSink): Interpreter => interpreterFor(protocol, inner);
  if (protocol === 'saved') return new Diagnoser(sink, ruleSetFor('stream-json', endless), read);
  return isProtocol(protocol) ? new Diagnoser(sink, ruleSetFor(protocol, timeouts), read) : read(sink);
}

/** Pauses mean little in a saved session: some agents write nothing if a turn is interrupted. */
const endless: Timeouts = { answer: Infinity, turn: Infinity, tool: Infinity };
