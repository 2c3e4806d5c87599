import assert from 'node:assert/strict';
import type { Finding } from '../../../src/diagnosis/diagnosis';
import { SeriesOfFindings } from '../../../src/diagnosis/series';
import { verbatim } from '../../../src/text/translator';
import { DiagnosedWire } from '../../support/diagnosedWire';

describe('diagnosis: recurring problems', () => {
  it('are reported at once, and counted in notices at round numbers and at the end', () => {
    const wire = new DiagnosedWire().says({ method: '_hello' });
    for (let i = 0; i < 25; i++) wire.stdout(`line ${i}`);
    assert.deepEqual(wire.counts, [1, 10]);
    wire.quiet(61_000);
    assert.deepEqual(wire.counts, [1, 10, 25]);
    assert.match(wire.said[2] ?? '', /"line 24" \(25 times in 24 ms\)\. Log to stderr/);
    assert.deepEqual(wire.data[2], { ...wire.data[0], count: 25, evidence: [2, 28] });
    wire.stdout('again');
    assert.equal(wire.data.at(-1)?.count, 1);
  });

  it('link the records that show them', () => {
    const wire = new DiagnosedWire().says({ method: '_hello' }).stdout('junk');
    const [seq = 0] = wire.data[0]?.evidence ?? [];
    assert.equal(wire.log.store.get(seq)?.message, 'not JSON, where ACP has one JSON-RPC message to a line: junk');
    assert.equal(wire.log.store.raw(seq + 1), 'junk');
  });

  it('show the count only if all were the same', () => {
    const wire = new DiagnosedWire().says({ method: '_hello' });
    for (let i = 0; i < 10; i++) wire.stdout('listening');
    assert.match(wire.said[1] ?? '', /"listening" \(10 times in 9 ms\)\./);
    wire.stdout('Segmentation fault').quiet(61_000);
    assert.match(wire.said[2] ?? '', /"Segmentation fault" \(and 10 similar\)\./);
  });

  it('have no session if they occur in several', () => {
    const wire = DiagnosedWire.withSession().ask('session/new', {}, { sessionId: 'session-2' });
    for (let i = 0; i < 120; i++) {
      const update = { sessionUpdate: 'tool_call', toolCallId: `${i}`, title: `tool ${i}`, status: 'failed' };
      wire.says({ method: 'session/update', params: { sessionId: `session-${(i % 2) + 1}`, update } });
    }
    assert.match(wire.quiet(61_000).said.at(-1) ?? '', /^notice \[\] tool-failed: .*and 69 similar/);
  });

  it('are reported after many others were settled', () => {
    const series = new SeriesOfFindings(() => 1);
    const about = { code: 'tool-failed', level: 'warning' } as const;
    const problem = (key: string, at: number): Finding => ({ ...about, what: verbatim(key), key, at });
    for (let i = 0; i < 60; i++) {
      const old = problem(`old ${i}`, i);
      series.add(old);
      series.closeAll(i);
      series.settle(problem(`settled ${i}`, i), old, [1]);
    }
    assert.deepEqual([series.add(problem('a', 100)), series.add(problem('b', 101))], [1, 1]);
  });

  it('are grouped if there are too many different ones', () => {
    const wire = DiagnosedWire.withSession();
    for (let i = 0; i < 1000; i++) wire.call(`tool ${i}`, 'failed', { toolCallId: `${i}` });
    wire.quiet(61_000);
    assert.ok(wire.codes.length < 60, `${wire.codes.length}`);
    assert.match(wire.said.at(-1) ?? '', /`tool 999` failed \(and 949 similar\)/);
  });
});
