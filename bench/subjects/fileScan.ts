// The minimum cost of reading a file: chunks of the size that we read, finding line feeds, and JSON.parse.
import { createReadStream } from 'node:fs';

export interface MeasuredScan {
  readonly allMs: number;
  readonly cpuMs: number;
  readonly lines: number;
}

const cpu = process.cpuUsage();
const start = performance.now();
let lines = 0;
let partial: Buffer[] = [];
for await (const chunk of createReadStream(process.argv[2] ?? '', {
  highWaterMark: 256 * 1024,
}) as AsyncIterable<Buffer>) {
  let from = 0;
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
    const rest = chunk.subarray(from, at);
    JSON.parse((partial.length === 0 ? rest : Buffer.concat([...partial, rest])).toString());
    partial = [];
    lines++;
    from = at + 1;
  }
  if (from < chunk.length) partial.push(chunk.subarray(from));
}
const { user, system } = process.cpuUsage(cpu);
const measured: MeasuredScan = { allMs: performance.now() - start, cpuMs: (user + system) / 1000, lines };
process.stdout.write(JSON.stringify(measured));
