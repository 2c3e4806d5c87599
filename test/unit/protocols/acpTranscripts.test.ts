import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { RecordStore } from '../../../src/store/store';
import { AcpReader } from '../../../src/protocols/acp/acpReader';
import { acpExtensions } from '../../../src/agents/agents';
import { RunLog } from '../../../src/runLog/runLog';
import { describeRun } from '../../support/describeRun';
import { assertGolden } from '../../support/golden';
import { readTranscript } from '../../support/transcript';
import { endWork } from '../../support/endWork';

const transcripts = 'test/fixtures/transcripts';

describe('ACP interpreter: recorded agents', () => {
  for (const file of readdirSync(transcripts).filter((name) => !/^(?:mcp|lsp)-/.test(name))) {
    it(file, () => {
      const events = readTranscript(join(transcripts, file));
      const startedAt = events[0]?.t ?? 0;
      const log = new RunLog(new RecordStore(1e8), startedAt);
      const interpreter = new AcpReader({ sink: log, work: log.work }, acpExtensions);
      for (const event of events) {
        interpreter.accept(event);
        endWork(log.work, event);
      }
      assertGolden(join('test/golden', file.replace(/\.ndjson$/, '.txt')), describeRun(log, startedAt));
    });
  }
});
