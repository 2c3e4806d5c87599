import { oneLine } from '../../log/text';
import type { Interpreter, InterpreterSink } from '../../protocols/interpreter';
import type { LogLine } from '../../protocols/logLine/logLine';
import type { RecordDraft } from '../../log/record';
import type { WireEvent } from '../../wire/wireEvent';
import { messageOf } from '../humanError';

/** Has a log message accepted; a bug of ours must not end a run. */
export function interpretLog(line: LogLine, interpreter: Interpreter, sink: InterpreterSink): void {
  try {
    interpreter.acceptLog?.(line);
  } catch (error) {
    sink.record(unreadRecord(line.receivedAt, error, line.chunk.bytes.toString('utf8', line.start, line.end)));
  }
}

/** Has what waits looked at; likewise. */
export function interpretQuiet(t: number, interpreter: Interpreter, sink: InterpreterSink): void {
  try {
    interpreter.quiet(t);
  } catch (error) {
    sink.record(unreadRecord(t, error, undefined));
  }
}

/** Has an event read. A bug of ours must not end a run: what could not be read is kept as it came. */
export function interpret(event: WireEvent, interpreter: Interpreter, sink: InterpreterSink): void {
  try {
    interpreter.accept(event);
  } catch (error) {
    sink.record(unreadRecord(event.t, error, 'line' in event ? event.line : undefined));
  }
}

function unreadRecord(receivedAt: number, error: unknown, raw: string | undefined): RecordDraft {
  return {
    receivedAt,
    level: 'warning',
    kind: 'activity',
    message: `could not be read (${messageOf(error)})${raw === undefined ? '' : `: ${oneLine(raw, 200)}`}`,
    ...(raw !== undefined && { raw }),
  };
}
