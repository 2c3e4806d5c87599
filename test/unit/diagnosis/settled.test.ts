import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';

function refused(): DiagnosedWire {
  const wire = new DiagnosedWire().ask('initialize', { protocolVersion: 1 }, { protocolVersion: 1 });
  return wire.ask('session/new', { cwd: '/', mcpServers: [] }).refuse(-32000, 'Authentication required');
}

describe('diagnosis: settled problems', () => {
  it('are only a notice if the client logs in at once', () => {
    const wire = refused().ask('authenticate', { methodId: 'key' }).quiet(3000).answer({});
    assert.deepEqual(wire.codes, ['authentication-required notice', 'authentication-required notice']);
    assert.equal(wire.data[1]?.settles?.length, 1);
    assert.equal(wire.log.find(undefined)?.summary?.worst, undefined);
  });

  it('show in the row at once', () => {
    const wire = refused().quiet(300);
    assert.deepEqual(wire.codes, []);
    assert.equal(wire.log.find(undefined)?.summary?.worst?.level, 'warning');
    wire.exit(0);
    assert.deepEqual(wire.codes, ['authentication-required warning']);
  });

  it('wait for a login that takes a while', () => {
    const wire = refused().quiet(9000).ask('authenticate', { methodId: 'key' }).quiet(60_000).answer({});
    assert.deepEqual(wire.codes, ['authentication-required notice', 'authentication-required notice']);
  });

  it('are reported if the login takes long or fails, and settled by one that succeeds', () => {
    const wire = refused().quiet(16_000).ask('authenticate', { methodId: 'key' });
    assert.deepEqual(wire.codes, ['authentication-required warning']);
    assert.equal(wire.log.find(undefined)?.worst, 'warning');
    wire.answer({});
    assert.match(wire.said[1] ?? '', /^notice \[\] authentication-required: Logged in\./);
    assert.equal(wire.log.find(undefined)?.summary?.worst, undefined);
    assert.equal(wire.log.find(undefined)?.standing.warning, 0);
    assert.equal(wire.log.find(undefined)?.counts.warning, 2);
  });

  it('are settled by what needs a login', () => {
    const wire = refused().quiet(16_000);
    wire.ask('session/new', { cwd: '/', mcpServers: [] }, { sessionId: 'session-1' });
    assert.deepEqual(wire.codes, ['authentication-required warning', 'authentication-required notice']);
    assert.equal(wire.prompt().end().codes.length, 3, 'an empty turn');
  });

  it('are errors if there is no way to log in, in every version', () => {
    for (const method of ['authenticate', 'auth/login']) {
      const wire = DiagnosedWire.withSession().ask(method, { methodId: 'key' }).refuse(-32601, 'Method not found');
      assert.deepEqual(wire.codes, ['failed-request error'], method);
    }
  });

  it('leave the rows of every session that showed them', () => {
    const wire = DiagnosedWire.withSession();
    wire.ask('session/new', { cwd: '/', mcpServers: [] }, { sessionId: 'session-2' });
    for (const sessionId of ['session-1', 'session-2']) {
      wire.ask('session/prompt', { sessionId, prompt: [] }).refuse(-32000, 'Authentication required').quiet(16_000);
    }
    const worst = (): (string | undefined)[] =>
      ['session-1', 'session-2', undefined].map((id) => wire.log.find(id)?.summary?.worst?.level);
    assert.deepEqual(worst(), ['error', 'error', 'error']);
    wire.ask('authenticate', { methodId: 'key' }, {});
    assert.deepEqual(worst(), [undefined, undefined, undefined]);
  });
});
