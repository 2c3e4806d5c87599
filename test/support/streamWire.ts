import type { LogRecord } from '../../src/text/record';
import { parsedJson } from '../../src/text/jsonText';
import { LineReader } from '../../src/wire/lines/lineReader';
import type { WireDirection } from '../../src/wire/wireEvent';
import { StreamJsonInterpreter } from '../../src/agents/reading/streams/streamJsonInterpreter';
import { SavedInterpreter } from '../../src/agents/reading/saved/savedInterpreter';
import { ReadWire } from './interpretedWire';

/** A run of an agent's stream, after these messages. */
export function streamed(...messages: readonly unknown[]): StreamWire {
  return new StreamWire((context) => new StreamJsonInterpreter(context)).sends(...messages);
}

/** A saved session with these lines. */
export function savedWire(...lines: readonly unknown[]): StreamWire {
  return new StreamWire((context) => new SavedInterpreter(context)).sends(...lines);
}

/** A run with one line per millisecond, for any interpreter. */
export class StreamWire extends ReadWire {
  /** A line as a reader passes it on. */
  line(line: string, dir: WireDirection = 'a2c'): this {
    const msg = parsedJson(line);
    return this.accept({ t: ++this.t, dir, line, ...(msg !== undefined && { msg }) });
  }

  /** Lines that arrive in chunks of the given size in bytes. */
  bytes(text: string, size: number): this {
    const reader = new LineReader(1e6);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) {
      reader.push(bytes.subarray(at, at + size));
      for (let line = reader.next(); line; line = reader.next()) this.line(line.text);
    }
    const last = reader.end();
    return last ? this.line(last.text) : this;
  }

  send(msg: unknown, dir: WireDirection = 'a2c'): this {
    return this.line(JSON.stringify(msg), dir);
  }

  sends(...messages: readonly unknown[]): this {
    for (const message of messages) this.send(message);
    return this;
  }

  stderr(line: string): this {
    return this.accept({ t: ++this.t, dir: 'err', line });
  }

  exit(code = 0): this {
    return this.accept({ t: ++this.t, dir: 'ev', ev: 'exit', code, signal: null });
  }

  /** Lets enough time pass after the last line that everything is reported. */
  quiet(): this {
    this.interpreter.quiet((this.t += 60_000));
    return this;
  }

  get isWaiting(): boolean {
    return this.interpreter.isWaiting;
  }

  /** Oldest first. */
  get records(): readonly LogRecord[] {
    return this.log.store.query();
  }

  /** `level kind logger: message` of every record. */
  get lines(): string[] {
    return this.records.map(
      ({ level, kind, logger, message }) => `${level} ${kind} ${logger === undefined ? '' : `${logger}: `}${message}`,
    );
  }
}
