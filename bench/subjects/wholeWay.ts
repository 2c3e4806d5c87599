// A line from end to end, as in production: reader, redaction, interpreter with diagnosis, store, journal on disk and a wire listener.
// Records are shown in slices.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { wantedCodes } from '../../src/log/query/compiledQuery';
import { Redactor } from '../../src/log/redact/redactor';
import { RecordStore } from '../../src/log/store/store';
import { alertsIn } from '../../src/runs/alerts/alertSettings';
import { AlertWatch } from '../../src/runs/alerts/alertWatch';
import { interpretation } from '../../src/runs/reading/interpretation';
import { RunLog } from '../../src/runs/runLog';
import { LiveReader } from '../../src/runs/reading/liveReader';
import { redactedSink } from '../../src/runs/reading/forwardingSink';
import { FlowControl } from '../../src/wire/flowControl';
import { JournalWriter } from '../../src/wire/journal/journalWriter';
import { lineFraming } from '../../src/wire/lines/framing';
import { JsonRpcReader } from '../../src/wire/jsonRpcReader';
import { WireLine } from '../../src/wire/wireLine';
import { input } from './input';
import { Meter } from './meter';

const mebibyte = 1024 * 1024;
const startedAt = Date.now();
const folder = mkdtempSync(join(tmpdir(), 'agent-logs-bench-'));
const journal = new JournalWriter({
  fileOf: (part) => join(folder, `journal-${part}.ndjson`),
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
  onPart: () => journal.paths.slice(0, -2).forEach((path) => rmSync(path, { force: true })),
  onProblem: (error) => {
    throw error;
  },
});
const log = new RunLog(new RecordStore(28 * mebibyte), startedAt);
// Most agents get an API key.
const redactor = new Redactor({ values: ['sk-ant-api03-Zt5mQw8rXv1nKp4sLd7fGh2jBc9e'] });
const run = new LiveReader(log, interpretation('acp', redactedSink(log, redactor)), {
  now: Date.now,
  redactor,
  journal,
  onFault: rethrow,
});
// Like an output channel, which writes wire lines only if they are shown.
const showsWire = process.argv.includes('--wire');
let wireChars = 0;
run.run.onEvent((event) => {
  if (showsWire && event.dir !== 'ev') wireChars += event.line.length;
});

// A level that all messages are below, or `none` for an agent that wasn't asked to log.
const asked = process.argv.find((arg) => arg.startsWith('--asked='))?.slice('--asked='.length) ?? 'debug';
const capabilities = asked === 'none' ? {} : { logging: { level: asked } };
const initialized = { protocolVersion: 1, agentCapabilities: {} };
exchange(0, 'initialize', { protocolVersion: 1, clientCapabilities: capabilities }, initialized);
const sessions = Number(process.argv.find((arg) => arg.startsWith('--sessions='))?.slice('--sessions='.length) ?? 20);
for (let n = 0; n < sessions; n++) exchange(n + 1, 'session/new', { cwd: '/' }, { sessionId: sessionId(n) });
run.flush();

const alert = process.argv.find((arg) => arg.startsWith('--alert='))?.slice('--alert='.length);
if (alert !== undefined) watchFor(alert);

const logs = wantedCodes(({ kind }) => kind === 'log');
const meter = new Meter();
// Views read few records of a flood, so only the untimed run reads all texts.
const readsAll = process.argv.includes('--read-all');
log.onDidChange((change) => {
  if (!readsAll) return meter.tookUnread(change.newest(logs, 0).older);
  for (const { kind, message } of change.records) if (kind === 'log') meter.took(message);
});
const reader = new JsonRpcReader(input(), {
  framing: lineFraming,
  maxLineBytes: mebibyte,
  maxMessageBytes: 64 * mebibyte,
  now: Date.now,
  onMessage: (event) => run.accept(event),
  onPiece: (bytes) => run.acceptPiece('a2c', bytes),
  onSlice: () => run.flush(),
  flow: new FlowControl(),
  isBehind: () => journal.isBehind,
  forClient: () => undefined,
  refuse: () => undefined,
  onLineError: (error) => {
    throw error;
  },
});
reader.onClose(() => void finish());
reader.listen(() => undefined);

async function finish(): Promise<void> {
  await journal.close();
  if (showsWire && wireChars === 0) throw new Error('no wire line came');
  if (journal.missing > 0) throw new Error(`${journal.missing} events are missing in the journal`);
  rmSync(folder, { recursive: true });
  meter.done();
}

/** Alerts the user to records that match a query. */
function watchFor(query: string): void {
  const watch = new AlertWatch<undefined>(alertsIn([{ when: query }]).alerts, {
    memory: { get: () => undefined, set: () => undefined },
    now: Date.now,
    onAlert: () => undefined,
    onDisabled: (_alert, error) => rethrow('', error),
  });
  watch.follow(undefined, { log, after: log.lastSeq, since: undefined, isReread: false, costs: 'own' });
}

function rethrow(_dir: string, error: unknown): never {
  throw error;
}

function exchange(id: number, method: string, params: object, result: object): void {
  accept('c2a', { jsonrpc: '2.0', id, method, params });
  accept('a2c', { jsonrpc: '2.0', id, result });
}

function accept(dir: 'c2a' | 'a2c', msg: object): void {
  run.accept(WireLine.of(Date.now(), dir, JSON.stringify(msg), { msg }));
}

/** The texts of the corpus. */
function sessionId(n: number): string {
  return `5e551017-0000-4000-8000-${String(n).padStart(12, '0')}`;
}
