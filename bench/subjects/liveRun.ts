// A run as in production: reader, redaction, interpreter with diagnosis, store, and journal on disk.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Redactor } from '../../src/redact/redactor';
import { RecordStore } from '../../src/store/store';
import { interpretation } from '../../src/runLog/reading/interpretation';
import { RunLog } from '../../src/runLog/runLog';
import { LiveReader } from '../../src/live/liveReader';
import { redactedSink } from '../../src/runLog/reading/forwardingSink';
import { FlowControl } from '../../src/wire/flowControl';
import { JournalWriter } from '../../src/wire/journal/journalWriter';
import { lineFraming } from '../../src/wire/lines/framing';
import { JsonRpcReader } from '../../src/wire/jsonRpcReader';
import { WireLine } from '../../src/wire/wireLine';

const mebibyte = 1024 * 1024;

/** One agent's run. Journals are in a folder of the caller's. */
export class LiveRun {
  readonly log: RunLog;
  readonly reader: LiveReader;
  private readonly journal: JournalWriter;

  /** @param name of its journal, among those of the folder */
  constructor(folder: string, name: string) {
    const startedAt = Date.now();
    this.journal = new JournalWriter({
      fileOf: (part) => join(folder, `${name}-${part}.ndjson`),
      header: {
        journal: 1,
        agent: 'Bench',
        protocol: 'acp',
        command: ['cat'],
        cwd: '/',
        startedAt: new Date(startedAt).toISOString(),
      },
      startedAt,
      maxFileSize: 64 * mebibyte,
      // Truncates the journal from time to time, because many runs would fill the disk.
      onPart: () => this.journal.paths.slice(0, -2).forEach((path) => rmSync(path, { force: true })),
      onProblem: (error) => {
        throw error;
      },
    });
    this.log = new RunLog(new RecordStore(28 * mebibyte), startedAt);
    // Most agents get an API key.
    const redactor = new Redactor({ values: ['sk-ant-api03-Zt5mQw8rXv1nKp4sLd7fGh2jBc9e'] });
    this.reader = new LiveReader(this.log, interpretation('acp', redactedSink(this.log, redactor)), {
      now: Date.now,
      redactor,
      journal: this.journal,
      onFault: rethrow,
    });
  }

  /**
   * Starts the connection and its sessions.
   * @param capabilities of the client
   */
  begin(capabilities: object, sessions: number): void {
    const initialized = { protocolVersion: 1, agentCapabilities: {} };
    this.exchange(0, 'initialize', { protocolVersion: 1, clientCapabilities: capabilities }, initialized);
    for (let n = 0; n < sessions; n++) this.exchange(n + 1, 'session/new', { cwd: '/' }, { sessionId: sessionId(n) });
    this.reader.flush();
  }

  /** Reads what the agent writes. Settles at its end, with the journal on disk. */
  read(input: Readable): Promise<void> {
    const { reader, journal } = this;
    const rpc = new JsonRpcReader(input, {
      framing: lineFraming,
      maxLineBytes: mebibyte,
      maxMessageBytes: 64 * mebibyte,
      now: Date.now,
      onMessage: (event) => reader.accept(event),
      onPiece: (bytes) => reader.acceptPiece('a2c', bytes),
      onSlice: () => reader.flush(),
      flow: new FlowControl(),
      isBehind: () => journal.isBehind,
      forClient: () => undefined,
      refuse: () => undefined,
      onLineError: (error) => {
        throw error;
      },
    });
    const closed = new Promise<void>((resolve) => rpc.onClose(resolve));
    rpc.listen(() => undefined);
    return closed.then(async () => {
      await journal.close();
      if (journal.missing > 0) throw new Error(`${journal.missing} events are missing in the journal`);
    });
  }

  private exchange(id: number, method: string, params: object, result: object): void {
    this.accept('c2a', { jsonrpc: '2.0', id, method, params });
    this.accept('a2c', { jsonrpc: '2.0', id, result });
  }

  private accept(dir: 'c2a' | 'a2c', msg: object): void {
    this.reader.accept(WireLine.of(Date.now(), dir, JSON.stringify(msg), { msg }));
  }
}

export function rethrow(_dir: string, error: unknown): never {
  throw error;
}

/** As in the corpora. */
function sessionId(n: number): string {
  return `5e551017-0000-4000-8000-${String(n).padStart(12, '0')}`;
}
