import assert from 'node:assert/strict';
import { Redactor } from '../../../../src/redact/redactor';
import { RecordStore } from '../../../../src/store/store';
import { interpretation } from '../../../../src/runLog/reading/interpretation';
import { redactedSink } from '../../../../src/runLog/reading/forwardingSink';
import type { LineRedactor } from '../../../../src/runLog/reading/redactEvent';
import { RunLog } from '../../../../src/runLog/runLog';

/** What is kept of a message that an agent sends in these chunks. */
function said(pieces: readonly string[], redactor: LineRedactor | undefined): string | undefined {
  const log = new RunLog(new RecordStore(1e6), 0);
  const interpreter = interpretation('acp', redactedSink(log, redactor));
  for (const text of pieces) {
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
    const msg = { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 'session-1', update } };
    interpreter.accept({ t: 1, dir: 'a2c', line: JSON.stringify(msg), msg });
  }
  interpreter.quiet(10_000);
  return log.store.query().find(({ logger }) => logger === 'agent')?.message;
}

describe('joined messages', () => {
  const pieces = 'Your .env has OPENAI|_API|_KEY=|sk-|proj|-Zk3vQ9|xT7mB2p|Lw8RnYc4|HdJ6sFg| in it.'.split('|');

  it('hide secrets that were split across chunks', () => {
    assert.equal(said(pieces, new Redactor()), 'Your .env has OPENAI_API_KEY=sk-proj-…[redacted] in it.');
  });

  it('are unchanged if redaction is off', () => {
    assert.equal(said(pieces, undefined), pieces.join(''));
  });

  it("are dropped and marked if they can't be searched", () => {
    const failing = {
      line(): never {
        throw new RangeError('Maximum call stack size exceeded');
      },
    };
    assert.match(said(['one ', 'two'], failing) ?? '', /^7 characters are left out: /);
  });
});
