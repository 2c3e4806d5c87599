// Reads a journal like the extension does, with default settings.
import { FileRun } from '../../src/runs/files/fileRun';
import { fileRunInfo } from '../../src/runs/files/fileRunInfo';
import { statSync } from 'node:fs';

export interface MeasuredPastRun {
  /** From opening it to the first records. */
  readonly firstMs: number;
  readonly allMs: number;
  readonly cpuMs: number;
  readonly records: number;
}

const path = process.argv[2] ?? '';
const { size, mtimeMs } = statSync(path);
const cpu = process.cpuUsage();
const start = performance.now();
const info = await fileRunInfo({ paths: [path], size, modifiedAt: mtimeMs }, 'past', () => undefined);
const run = new FileRun(info, { level: 'debug', maxMemory: 28 * 1024 ** 2, redaction: {} });
let firstMs = 0;
let records = 0;
run.log.onDidChange((change) => {
  if (change.count > 0) firstMs ||= performance.now() - start;
  records += change.count;
});
await run.read();
const { user, system } = process.cpuUsage(cpu);
const allMs = performance.now() - start;
const measured: MeasuredPastRun = { firstMs, allMs, cpuMs: (user + system) / 1000, records };
process.stdout.write(JSON.stringify(measured));
await run.dispose();
