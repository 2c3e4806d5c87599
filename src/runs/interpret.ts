import { oneLine } from '../log/text';
import type { Interpreter, InterpreterSink } from '../protocols/interpreter';
import type { WireEvent } from '../wire/wireEvent';
import { messageOf } from './humanError';

/** Has an event read. A bug of ours must not end a run: what could not be read is kept as it came. */
export function interpret(event: WireEvent, interpreter: Interpreter, sink: InterpreterSink): void {
  try {
    interpreter.accept(event);
  } catch (error) {
    const raw = 'line' in event ? event.line : undefined;
    sink.record({
      receivedAt: event.t,
      level: 'warning',
      kind: 'activity',
      message: `could not be read (${messageOf(error)}): ${oneLine(raw ?? '', 200)}`,
      ...(raw !== undefined && { raw }),
    });
  }
}
