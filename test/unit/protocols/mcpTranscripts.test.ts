import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { RecordStore } from '../../../src/store/store';
import { McpReader } from '../../../src/protocols/mcp/mcpReader';
import { RunLog } from '../../../src/runLog/runLog';
import { describeRun } from '../../support/describeRun';
import { assertGolden } from '../../support/golden';
import { readTranscript } from '../../support/transcript';
import { endWork } from '../../support/endWork';

const folders = ['test/fixtures/transcripts', 'test/fixtures/handwritten'];

describe('MCP interpreter: recorded and scripted servers', () => {
  for (const folder of folders) {
    for (const file of readdirSync(folder).filter((name) => name.startsWith('mcp-'))) {
      it(file, () => {
        const events = readTranscript(join(folder, file));
        const startedAt = events[0]?.t ?? 0;
        const log = new RunLog(new RecordStore(1e8), startedAt);
        const interpreter = new McpReader({ sink: log, work: log.work });
        for (const event of events) {
          interpreter.accept(event);
          endWork(log.work, event);
        }
        assertGolden(join('test/golden', `${basename(file, '.ndjson')}.txt`), describeRun(log, startedAt));
      });
    }
  }
});
