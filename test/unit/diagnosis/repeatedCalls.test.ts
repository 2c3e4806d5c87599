import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';
import { interpretation } from '../../../src/runLog/reading/interpretation';
import { RecordStore } from '../../../src/store/store';
import { RunLog } from '../../../src/runLog/runLog';

function call(wire: DiagnosedWire, id: number, title = 'Read a.ts', output = 'a'): void {
  const text = { type: 'content', content: { type: 'text', text: output } };
  wire.update({ sessionUpdate: 'tool_call', toolCallId: `${id}`, title, kind: 'read', status: 'pending' });
  wire.update({ sessionUpdate: 'tool_call_update', toolCallId: `${id}`, status: 'completed', content: [text] });
}

describe('diagnosis: repeated calls', () => {
  it('are one problem with a count', () => {
    const wire = DiagnosedWire.withSession().prompt();
    for (let i = 0; i < 12; i++) call(wire, i);
    assert.match(wire.summary('session-1'), /^waiting for the model/);
    assert.equal(wire.log.find('session-1')?.summary?.worst?.cause?.args?.[0], 12);
    wire.chunk('Done.').end();
    assert.deepEqual(wire.codes, ['repeated-call warning', 'repeated-call notice']);
    assert.deepEqual(wire.counts, [5, 10]);
    const about = 'The agent calls `Read a.ts` again and again with the same input';
    assert.match(wire.first, new RegExp(`${about} \\(5 times in \\d+ ms\\)`));
    assert.match(wire.said[1] ?? '', new RegExp(`${about} \\(10 times in \\d+ ms\\)`));
  });

  it('are found in saved sessions', () => {
    const log = new RunLog(new RecordStore(1e7), 0);
    const reader = interpretation('saved', log);
    const about = { sessionId: 's1', cwd: '/', version: '2.1.330', parentUuid: null };
    let t = 0;
    const line = (type: string, content: object[]): void => {
      const timestamp = new Date(++t * 1000).toISOString();
      const msg = { type, ...about, uuid: `${t}`, timestamp, message: { role: type, content } };
      reader.accept({ t: t * 1000, dir: 'a2c', line: JSON.stringify(msg), msg });
    };
    line('user', [{ type: 'text', text: 'Fix it.' }]);
    for (let i = 0; i < 5; i++) {
      line('assistant', [{ type: 'tool_use', id: `${i}`, name: 'Read', input: { file_path: 'a.ts' } }]);
      line('user', [{ type: 'tool_result', tool_use_id: `${i}`, content: 'a' }]);
    }
    const found = log.store.query({ kinds: ['diagnosis'] }).map(({ logger }) => logger);
    assert.deepEqual(found, ['repeated-call']);
  });
});
