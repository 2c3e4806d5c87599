import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { RecordStore } from '../../../src/store/store';
import { exportTrace } from '../../../src/export/exportTrace';
import { RunLog } from '../../../src/runLog/runLog';
import type { RunView } from '../../../src/runLog/runView';
import { recordedLog } from '../../support/recordedSpans';
import { useFolder } from '../../support/tempFolder';

describe('exportTrace', () => {
  const folder = useFolder();
  const recorded = recordedLog('test/fixtures/streams/claude.ndjson', 'stream-json');
  const exported = (format: 'chrome' | 'otlp', log = recorded, journal?: object) => {
    const run = { id: 'run-1', name: 'Agent', log, journal } as unknown as RunView;
    return exportTrace(run, { path: folder.in('trace.json'), format, now: 0 });
  };
  const content = () => readFileSync(folder.in('trace.json'), 'utf8');

  it('writes the spans of a run', async () => {
    await exported('otlp');
    assert.match(content(), /"service.instance.id"/);
  });

  it('refuses a run without spans', async () => {
    await assert.rejects(exported('chrome', new RunLog(new RecordStore(1e8), 0)), /no turns/);
  });

  it('never overwrites the journal that the run is read from', async () => {
    const path = folder.in('trace.json');
    writeFileSync(path, 'journal');
    await assert.rejects(exported('chrome', recorded, { path, paths: [path] }), /read from this file/);
    assert.equal(content(), 'journal');
  });
});
