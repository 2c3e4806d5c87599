// The minimum cost of reading: finding line feeds, and JSON.parse. A partial line is kept as a list of chunks.
import { input } from './input';
import { Meter, textOf } from './meter';

const meter = new Meter();
let partial: Buffer[] = [];

const source = input();
source.on('data', (chunk: Buffer) => {
  let from = 0;
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
    const rest = chunk.subarray(from, at);
    const line = partial.length === 0 ? rest : Buffer.concat([...partial, rest]);
    partial = [];
    meter.took(textOf(JSON.parse(line.toString())));
    from = at + 1;
  }
  if (from < chunk.length) partial.push(chunk.subarray(from));
});
source.on('end', () => meter.done());
