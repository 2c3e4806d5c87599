import type { RunProtocol } from '../../../src/wire/protocol';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RecordStore } from '../../../src/store/store';
import { Line } from '../../../src/text/bytes/line';
import { documentLines } from '../../../src/agents/agents';
import { LogReader } from '../../../src/runLog/reading/logReader';
import { RunLogSink } from '../../../src/past/files/runLogSink';
import { RunLog } from '../../../src/runLog/runLog';
import { contradictionsIn } from '../../support/contradictions';

// What Turns, Problems, the records, the session's row and the report say about the same piece of work is the same.

/** Contradictions that a record can't avoid, because what it says was written before the rest was known. */
const known = [
  // Claude Code reports that the user rejected a tool, and only the end of the turn shows that the user interrupted it.
  /^Turns: "Bash: sleep 6; echo done" cancelled, .* Record: .*\(refused, in 1\.5 s\)/,
];
describe('work: Turns, Problems, records, rows and reports agree', () => {
  for (const [folder, protocol] of [
    ['transcripts', undefined],
    ['acp', undefined],
    ['handwritten', undefined],
    ['streams', 'stream-json'],
    ['saved', 'saved'],
  ] as const) {
    const files = readdirSync(join('test/fixtures', folder)).filter((name) => /\.(?:nd)?jsonl?$/.test(name));
    for (const file of files) {
      it(`${folder}: ${file}`, () => {
        const found = contradictionsIn(played(folder, file, protocol));
        assert.deepEqual(
          found.filter((text) => !known.some((one) => one.test(text))),
          [],
        );
      });
    }
  }
});

function played(folder: string, file: string, protocol: RunProtocol | undefined): RunLog {
  const text = readFileSync(join('test/fixtures', folder, file), 'utf8');
  const log = new RunLog(new RecordStore(1e8), 0);
  const named = file.startsWith('mcp') ? 'mcp' : file.startsWith('lsp') ? 'lsp' : 'acp';
  const reader = new LogReader(new RunLogSink(log, 0), { protocol: protocol ?? named, redactor: undefined });
  const document = /^\s*\{\s*\n/.test(text) ? documentLines(JSON.parse(text)) : undefined;
  const lines = document?.map(({ line }) => JSON.stringify(line)) ?? text.split('\n');
  for (const [n, line] of lines.entries()) reader.line(Line.of(line), n);
  reader.complete();
  return log;
}
