import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Line } from '../../../../src/text/bytes/line';
import { RecordStore } from '../../../../src/store/store';
import { Redactor } from '../../../../src/redact/redactor';
import { RunLogSink } from '../../../../src/past/files/runLogSink';
import { LogReader } from '../../../../src/runLog/reading/logReader';
import { RunLog } from '../../../../src/runLog/runLog';

describe('the log of a file', () => {
  for (const redactor of [undefined, new Redactor()]) {
    it(`has the turns and tool calls of its run${redactor ? ', redacted' : ''}`, () => {
      const log = new RunLog(new RecordStore(1e8), 0);
      const reader = new LogReader(new RunLogSink(log, 0), { redactor });
      const lines = readFileSync('test/fixtures/transcripts/codex-mock-ok.ndjson', 'utf8').trim().split('\n');
      for (const line of lines) reader.line(Line.of(line), 0);
      reader.complete();
      assert.ok(log.spans({ kinds: ['turn'] }).length > 0);
      assert.ok(log.spans({ kinds: ['request'] }).length > 0);
    });
  }
});
