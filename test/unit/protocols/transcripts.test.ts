import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { acpExtensions } from '../../../src/agents/agents';
import { AcpReader } from '../../../src/protocols/acp/acpReader';
import type { Interpreter, ReaderContext } from '../../../src/protocols/interpreter';
import { LspReader } from '../../../src/protocols/lsp/lspReader';
import { McpReader } from '../../../src/protocols/mcp/mcpReader';
import { RecordStore } from '../../../src/store/store';
import { RunLog } from '../../../src/runLog/runLog';
import { describeRun } from '../../support/describeRun';
import { endWork } from '../../support/endWork';
import { assertGolden } from '../../support/golden';
import { readTranscript } from '../../support/transcript';

function readerOf(file: string, context: ReaderContext): Interpreter {
  if (file.startsWith('mcp-')) return new McpReader(context);
  return file.startsWith('lsp-') ? new LspReader(context) : new AcpReader(context, acpExtensions);
}

describe('recorded and scripted agents and servers', () => {
  for (const folder of ['test/fixtures/transcripts', 'test/fixtures/handwritten']) {
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.ndjson'))) {
      it(file, () => {
        const events = readTranscript(join(folder, file));
        const startedAt = events[0]?.t ?? 0;
        const log = new RunLog(new RecordStore(1e8), startedAt);
        const reader = readerOf(file, { sink: log, work: log.work });
        for (const event of events) {
          reader.accept(event);
          endWork(log.work, event);
        }
        assertGolden(join('test/golden', `${basename(file, '.ndjson')}.txt`), describeRun(log, startedAt));
      });
    }
  }
});
