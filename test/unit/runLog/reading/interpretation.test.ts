import assert from 'node:assert/strict';
import { RecordStore } from '../../../../src/store/store';
import type { Interpretation } from '../../../../src/runLog/reading/interpretation';
import { interpretation, unjudged } from '../../../../src/runLog/reading/interpretation';
import { RunLog } from '../../../../src/runLog/runLog';
import { rowsOf } from '../../../support/columns';

const sessionId = 'session-1';

function send(reader: Interpretation, t: number, dir: 'a2c' | 'c2a', msg: unknown): void {
  reader.accept({ t, dir, line: JSON.stringify(msg), msg });
}

describe('interpretation', () => {
  for (const [name, make] of Object.entries({ judged: interpretation, unjudged })) {
    it(`feeds the run's only model of work, once: ${name}`, () => {
      const log = new RunLog(new RecordStore(1e6), 0);
      const reader = make('acp', log);
      send(reader, 1, 'c2a', { id: 1, method: 'session/prompt', params: { sessionId, prompt: [] } });
      const update = { sessionUpdate: 'tool_call', toolCallId: 'a', title: 'npm test', status: 'in_progress' };
      send(reader, 2, 'a2c', { method: 'session/update', params: { sessionId, update } });
      assert.deepEqual(rowsOf(log.spans(), 'id', 'kind', 'title'), ['turn-1 turn turn', 'tool-2 tool npm test']);
      assert.equal(log.work.requests.unanswered, 'session/prompt');
      reader.accept({ t: 3, dir: 'ev', ev: 'exit', code: 1, signal: null });
      assert.deepEqual(rowsOf(log.spans(), 'outcome', 'endedAt'), ['unanswered 3', 'unanswered 3']);
      assert.deepEqual(log.requests, []);
    });
  }

  it('knows a stream’s control requests, which no rule judges', () => {
    const log = new RunLog(new RecordStore(1e6), 0);
    const reader = interpretation('stream-json', log);
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' } };
    send(reader, 1, 'a2c', { type: 'system', subtype: 'init', session_id: sessionId, tools: [], model: 'm', cwd: '/' });
    send(reader, 2, 'a2c', { type: 'control_request', request_id: 'r', request });
    assert.deepEqual(rowsOf(log.requests, 'id', 'kind'), ['r control']);
    assert.deepEqual(log.work.requests.judged, []);
  });
});
