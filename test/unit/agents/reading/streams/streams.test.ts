import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeRun } from '../../../../support/describeRun';
import { assertGolden } from '../../../../support/golden';
import { streamed } from '../../../../support/streamWire';

const streams = 'test/fixtures/streams';

describe('stream-json interpreter: streams', () => {
  for (const file of readdirSync(streams).filter((name) => name.endsWith('.ndjson'))) {
    it(file, () => {
      const wire = streamed();
      wire.bytes(readFileSync(join(streams, file), 'utf8'), 65_536).exit();
      assertGolden(join('test/golden/streams', file.replace(/\.ndjson$/, '.txt')), describeRun(wire.log, 0));
    });
  }

  it('codex.stderr.txt', () => {
    const wire = streamed();
    const text = readFileSync(join(streams, 'codex.stderr.txt'), 'utf8');
    for (const line of text.trimEnd().split('\n')) wire.stderr(line);
    wire.exit(1);
    assertGolden('test/golden/streams/codex.stderr.txt', describeRun(wire.log, 0));
  });
});
