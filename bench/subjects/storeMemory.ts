// Fills a store with its default limit, and compares its real memory with its own count.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { RecordStore } from '../../src/store/store';
import { logRecord } from '../../src/protocols/acp/logMessage';

export interface MeasuredStore {
  readonly records: number;
  /** All in bytes. */
  readonly limit: number;
  readonly counted: number;
  readonly held: number;
}

const sessions = Number(process.argv[2] ?? 1);
const limit = 28 * 1024 * 1024;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const before = used();
const store = new RecordStore(limit);
// Four times as many as fit.
for (let n = 0; n < 500_000; n++) {
  store.append(draft(n));
  if (store.isOverfull) store.makeRoom();
}
const measured: MeasuredStore = {
  limit,
  counted: store.bytes,
  held: used() - before,
  records: store.query().length,
};
process.stdout.write(JSON.stringify(measured));

/** A log message of typical size. Of 100, one is long and one has data outside its line. */
function draft(n: number): ReturnType<typeof logRecord> {
  const text = `compiled module ${n} of the workspace in ${n % 977} ms`.padEnd(
    n % 100 === 0 ? 4000 : 40 + (n % 60),
    ' .',
  );
  const params = {
    sessionId: `5e551017-0000-4000-8000-${String(n % sessions).padStart(12, '0')}`,
    level: 'info',
    logger: `tool.${n % 7}`,
    message: text,
    ...(n % 3 === 0 && { data: { file: `src/module${n}.ts`, ms: n % 977 } }),
  };
  const line = JSON.stringify({ jsonrpc: '2.0', method: 'log', params });
  const record = logRecord(params, n, line);
  if (n % 100 !== 1) return record;
  const { dataAt: _inLine, ...beside } = record;
  return { ...beside, data: { ...params } };
}

function used(): number {
  for (let round = 0; round < 3; round++) collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
