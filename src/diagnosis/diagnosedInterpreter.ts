import { interpreterFor } from '../protocols/interpreterFor';
import type { Interpreter } from '../protocols/interpreter';
import { isProtocol } from '../log/protocol';
import { Diagnoser } from './diagnoser';
import { ruleSetFor } from './ruleSets';
import type { Timeouts } from './timeouts';
import type { DiagnosisSink } from './sessionSummary';

/** The interpreter of a protocol, with diagnoses. Program logs get none. */
export function diagnosedInterpreter(protocol: string, sink: DiagnosisSink, timeouts?: Timeouts): Interpreter {
  if (protocol === 'saved') {
    return new Diagnoser(sink, ruleSetFor('stream-json', endless), (inner) => interpreterFor(protocol, inner));
  }
  if (!isProtocol(protocol)) return interpreterFor(protocol, sink);
  return new Diagnoser(sink, ruleSetFor(protocol, timeouts), (inner) => interpreterFor(protocol, inner));
}

/** Pauses mean little in a saved session: some agents write nothing if a turn is interrupted. */
const endless: Timeouts = { answer: Infinity, turn: Infinity, tool: Infinity };
