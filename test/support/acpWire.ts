import type { LogRecord } from '../../src/log/record';
import { RecordStore } from '../../src/log/store';
import { AcpInterpreter } from '../../src/protocols/acp/acpInterpreter';
import { RunLog } from '../../src/runs/runLog';
import type { WireDirection, WireEvent } from '../../src/wire/wireEvent';

/** A run whose messages come one millisecond after the other. */
export class AcpWire {
  readonly log = new RunLog(new RecordStore(1e7), 0);
  private readonly interpreter = new AcpInterpreter(this.log);
  private t = 0;

  send(dir: WireDirection, msg: unknown): this {
    return this.accept({ t: ++this.t, dir, line: JSON.stringify(msg), msg });
  }

  update(update: Record<string, unknown>, sessionId = 'session-1'): this {
    return this.send('a2c', { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } });
  }

  logs(params: unknown, method = 'log'): LogRecord {
    this.send('a2c', { jsonrpc: '2.0', method, params });
    return this.log.store.query({ limit: 1 })[0]!;
  }

  exit(): this {
    return this.accept({ t: ++this.t, dir: 'ev', ev: 'exit', code: 1, signal: null });
  }

  accept(event: WireEvent): this {
    this.interpreter.accept(event);
    return this;
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
}
