import type { Protocol } from '../../../src/wire/protocol';
import assert from 'node:assert/strict';
import { cutJson } from '../../../src/text/cutJson';
import { RecordStore } from '../../../src/store/store';
import { interpretation } from '../../../src/runLog/reading/interpretation';
import { RunLog } from '../../../src/runLog/runLog';

describe('the diagnosis of a message that was cut for the log', () => {
  /** The findings about the response to a request, cut like in the log. */
  function findings(protocol: Protocol, method: string, result: object, isOverLimit: boolean): string[] {
    const log = new RunLog(new RecordStore(1e9), 0);
    const interpreter = interpretation(protocol, log);
    interpreter.accept({ t: 1, dir: 'c2a', line: '{}', msg: { jsonrpc: '2.0', id: 1, method, params: {} } });
    const whole = { jsonrpc: '2.0', id: 1, result };
    const msg = isOverLimit ? cutJson(whole) : whole;
    const bytes = isOverLimit ? { bytes: JSON.stringify(whole).length } : {};
    interpreter.accept({ t: 2, dir: 'a2c', line: JSON.stringify(msg), msg, ...bytes });
    const records = log.store.query().filter(({ kind }) => kind === 'diagnosis');
    return records.map(({ message }) => message).filter((message) => /response to/i.test(message));
  }

  it('does not report fields that were cut from a message of a server', () => {
    const about = { description: 'd'.repeat(311), inputSchema: { type: 'object' } };
    const tools = Array.from({ length: 5000 }, (_, n) => ({ ...about, name: `tool${n}` }));
    assert.deepEqual(findings('mcp', 'tools/list', { tools }, true), []);
    assert.equal(findings('mcp', 'tools/list', { tools: [{}] }, false).length, 1);
  });

  it('does not report fields that were cut from a message of an agent', () => {
    const models = Array.from({ length: 5000 }, (_, n) => ({ modelId: `${n}`, name: 'n'.repeat(300) }));
    assert.deepEqual(findings('acp', 'session/new', { models, sessionId: 's' }, true), []);
    assert.equal(findings('acp', 'session/new', { models: [] }, false).length, 1);
  });
});
