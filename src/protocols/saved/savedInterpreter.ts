import type { Interpreter } from '../interpreter';
import { isObject, textOf } from '../json';
import { valueOrFields } from '../leadingFields';
import type { WireEvent, WireMessage } from '../../wire/wireEvent';
import type { SavedReader } from './savedFormat';
import { recogniseSaved } from './savedFormats';
import type { SavedSink } from './writer/savedWriter';
import { SavedWriter, sizeOf } from './writer/savedWriter';

/** Reads a session that an agent saved on disk: one record to a line, in the format of the first line that is unmistakable. */
export class SavedInterpreter implements Interpreter {
  private readonly writer: SavedWriter;
  private reader: SavedReader | undefined;

  constructor(sink: SavedSink) {
    this.writer = new SavedWriter(sink);
  }

  accept(event: WireEvent): void {
    // A saved session has nothing but lines.
    if (event.dir === 'a2c') this.acceptLine(event);
  }

  quiet(): void {
    this.reader?.settle?.(this.writer);
  }

  finish(): void {
    this.reader?.settle?.(this.writer);
    this.writer.endOfFile();
  }

  get isWaiting(): boolean {
    return this.reader?.isHolding ?? false;
  }

  private acceptLine(event: WireMessage): void {
    if (event.bytes !== undefined) {
      const fields = valueOrFields(event.line);
      const type = isObject(fields) ? textOf(fields['type']) : undefined;
      const what = type === undefined ? 'A line' : `A line of type "${type.slice(0, 60)}"`;
      return this.writer.unreadable(event, `${what} is too long to read (${sizeOf(event.bytes)})`, 'notice');
    }
    if (event.line.trim() === '') return;
    const { msg } = event;
    if (!isObject(msg)) {
      const what = `Not a JSON object (${sizeOf(event.line.length)}): damaged, or not complete yet`;
      return this.writer.unreadable(event, what, 'notice');
    }
    this.writer.begin(event);
    this.reader ??= recogniseSaved(msg)?.reader();
    if (this.reader) this.reader.read(msg, this.writer);
    else this.writer.unknown(textOf(msg['type']));
  }
}
