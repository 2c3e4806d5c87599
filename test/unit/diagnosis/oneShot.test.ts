import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';

const exit = (code: number) => ({ ev: 'exit', code, signal: null }) as const;

describe('diagnosis: command lines that do one thing', () => {
  it('are not asked to exit by the end of stdin', () => {
    const spawned = (): DiagnosedWire =>
      new DiagnosedWire('stream-json').process({ ev: 'spawn', pid: 1, command: ['agent'], cwd: '/' });
    const session_id = 's-1';
    const init = { type: 'system', subtype: 'init', cwd: '/', session_id, tools: [], mcp_servers: [], model: 'm' };
    const end = {
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'Hi',
      session_id,
      duration_ms: 1,
      num_turns: 1,
    };
    const done = { type: 'turn.completed', usage: { input_tokens: 1, output_tokens: 1 } };
    const streams = [
      [init, end],
      [{ type: 'thread.started', thread_id: 't' }, { type: 'turn.started' }, done],
      [{ hello: 1 }],
    ];
    for (const lines of streams) {
      const wire = spawned().process({ ev: 'stdin-close' });
      for (const line of lines) wire.wait(9000).send('a2c', line);
      assert.deepEqual(
        wire
          .wait(500)
          .process(exit(0))
          .codes.filter((code) => code.startsWith('slow')),
        [],
      );
    }
    const crashed = spawned().process({ ev: 'stdin-close' }).send('a2c', init).stderr('Error: no');
    assert.deepEqual(crashed.process(exit(1)).codes.includes('agent-ended error'), true);
    // After its turn, it is one.
    const user = { type: 'user', message: { role: 'user', content: 'Hi' }, session_id };
    const idle = spawned().send('a2c', init).send('c2a', user).wait(50).send('a2c', end);
    idle.process({ ev: 'stdin-close' }).quiet(9000);
    assert.deepEqual(idle.codes, ['slow-to-end notice']);
  });
});
