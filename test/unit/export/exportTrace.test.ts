import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordStore } from '../../../src/store/store';
import { exportTrace } from '../../../src/export/exportTrace';
import { RunLog } from '../../../src/runLog/runLog';
import type { RunView } from '../../../src/runLog/runView';
import { interpretation } from '../../../src/runLog/reading/interpretation';
import { eventsOf } from '../../diagnosis/recordings';

describe('exportTrace', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'trace-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('writes the spans of a run', async () => {
    const path = join(folder, 'trace.json');
    await exportTrace(runWith(true), { path, format: 'otlp', now: 0 });
    assert.match(readFileSync(path, 'utf8'), /"service.instance.id"/);
  });

  it('refuses a run without spans', async () => {
    const path = join(folder, 'trace.json');
    await assert.rejects(exportTrace(runWith(false), { path, format: 'chrome', now: 0 }), /no turns/);
  });

  it('never overwrites the journal that the run is read from', async () => {
    const path = join(folder, 'journal.ndjson');
    writeFileSync(path, 'journal');
    await assert.rejects(exportTrace(runWith(true, path), { path, format: 'chrome', now: 0 }), /read from this file/);
    assert.equal(readFileSync(path, 'utf8'), 'journal');
  });
});

function runWith(hasSpans: boolean, journal?: string): RunView {
  const log = new RunLog(new RecordStore(1e8), 0);
  const interpreter = interpretation('stream-json', log);
  const events = hasSpans ? eventsOf('test/fixtures/streams/claude.ndjson', 'stream-json') : [];
  for (const event of events) interpreter.accept(event);
  return {
    id: 'run-1',
    name: 'Agent',
    log,
    journal: journal === undefined ? undefined : { path: journal, paths: [journal] },
  } as unknown as RunView;
}
