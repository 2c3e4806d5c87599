import { RecordStore } from '../../src/store/store';
import type { Interpreter, ReaderContext } from '../../src/protocols/interpreter';
import { RunLog } from '../../src/runLog/runLog';
import type { WireDirection, WireEvent } from '../../src/wire/wireEvent';
import { endWork } from './endWork';

/** A run that an interpreter reads, without diagnosis. */
export class ReadWire {
  readonly log = new RunLog(new RecordStore(1e8), 0);
  protected readonly interpreter: Interpreter;
  protected t = 0;

  constructor(interpreterOf: (context: ReaderContext) => Interpreter) {
    this.interpreter = interpreterOf({ sink: this.log, work: this.log.work });
  }

  accept(event: WireEvent): this {
    this.interpreter.accept(event);
    endWork(this.log.work, event);
    this.log.work.reach(this.log.lastSeq);
    return this;
  }
}

/** The same with one message per millisecond. */
export class InterpretedWire extends ReadWire {
  send(dir: WireDirection, msg: unknown): this {
    return this.accept({ t: ++this.t, dir, line: JSON.stringify(msg), msg });
  }

  /** A request of the client, with its answer if one is given. */
  ask(id: unknown, method: string, params?: unknown, result?: unknown): this {
    this.send('c2a', { jsonrpc: '2.0', id, method, params });
    return result === undefined ? this : this.answer(id, result);
  }

  answer(id: unknown, result: unknown = {}): this {
    return this.send('a2c', { jsonrpc: '2.0', id, result });
  }

  refuse(id: unknown, code: number, message: string): this {
    return this.send('a2c', { jsonrpc: '2.0', id, error: { code, message } });
  }

  /** A notification of the agent. */
  tell(method: string, params: unknown): this {
    return this.send('a2c', { jsonrpc: '2.0', method, params });
  }

  /** Lets milliseconds pass without messages. */
  wait(ms: number): this {
    this.t += ms;
    return this;
  }

  exit(): this {
    return this.accept({ t: ++this.t, dir: 'ev', ev: 'exit', code: 1, signal: null });
  }

  /** `level [session] logger: message` of every record. */
  get lines(): string[] {
    return this.log.store
      .query()
      .map(
        ({ level, sessionId, logger, message }) =>
          `${level} [${sessionId ?? ''}] ${logger === undefined ? '' : `${logger}: `}${message}`,
      );
  }

  /** The IDs of open requests. */
  get open(): unknown[] {
    return this.log.requests.map(({ id }) => id);
  }

  /** Those of the lines that have a text. */
  linesWith(text: string): string[] {
    return this.lines.filter((line) => line.includes(text));
  }
}
