import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';
import { RecordStore } from '../../../src/store/store';
import { interpretation } from '../../../src/runLog/reading/interpretation';
import { RunLog } from '../../../src/runLog/runLog';

const models = { models: { currentModelId: 'gpt-5', availableModels: [] } };

function session(): DiagnosedWire {
  const wire = new DiagnosedWire().ask('initialize', { protocolVersion: 1 }, { protocolVersion: 1 });
  return wire.ask('session/new', { cwd: '/', mcpServers: [] }, { sessionId: 'session-1', ...models });
}

function turn(wire: DiagnosedWire, model: string): DiagnosedWire {
  const content = { type: 'text', text: 'Done.' };
  wire.prompt().update({ sessionUpdate: 'agent_message_chunk', content, _meta: { model } });
  return wire.end();
}

describe('diagnosis: answers of other models', () => {
  it('are reported once for each change', () => {
    const wire = turn(turn(session(), 'gpt-5-mini'), 'gpt-5-mini');
    assert.match(wire.first, /^warning \[session-1\] model-fallback: `gpt-5-mini` answered instead of `gpt-5`/);
    assert.equal(turn(wire, 'gpt-4o').codes.length, 2);
  });

  it('are found in saved sessions', () => {
    const log = new RunLog(new RecordStore(1e7), 0);
    const reader = interpretation('saved', log);
    let t = 0;
    const line = (type: string, fields: object): void => {
      const msg = { type: `opencode.${type}`, ...fields };
      reader.accept({ t: ++t, dir: 'a2c', line: JSON.stringify(msg), msg });
    };
    const chosen = { providerID: 'anthropic', modelID: 'claude-opus-4-5' };
    line('session', { info: { id: 's', title: 'x' } });
    line('message', { info: { id: 'm1', role: 'user', model: chosen } });
    line('part', { part: { id: 'p1', messageID: 'm1', type: 'text', text: 'Hello.' } });
    const answer = { id: 'm2', role: 'assistant', modelID: 'claude-haiku-4-5' };
    line('message', { info: answer });
    line('part', { part: { id: 'p2', messageID: 'm2', type: 'text', text: 'Hi.', time: { start: 1, end: 2 } } });
    line('message', { info: { ...answer, finish: 'stop', time: { created: 1, completed: 3 } } });
    reader.finish(t);
    const found = log.store.query({ kinds: ['diagnosis'] }).map(({ logger }) => logger);
    assert.deepEqual(found, ['model-fallback']);
  });
});
