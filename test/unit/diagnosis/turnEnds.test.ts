import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';

describe('diagnosis: how turns end', () => {
  it('explains an empty turn by the error on stderr', () => {
    const wire = DiagnosedWire.withSession()
      .stderr('Error: of old')
      .prompt()
      .stderr('FetchError: request failed: getaddrinfo ENOTFOUND api.acme.example')
      .stderr('    at fetch (a.js:1:2)')
      .end();
    const why = /^error \[session-1\] failed-turn: Turn failed after .*FetchError: .* ENOTFOUND .*\. .*Check DNS, VPN/;
    assert.match(wire.first, why);
    const before = DiagnosedWire.withSession().stderr('Error: of old').prompt().stderr('INFO thinking').end();
    assert.deepEqual(before.codes, ['empty-turn warning']);
  });

  it('reports mere words as a notice at most', () => {
    const answered = (text: string): string[] => DiagnosedWire.withSession().prompt().chunk(text).end().codes;
    assert.deepEqual(answered('TypeError: fetch failed'), ['failed-turn notice']);
    assert.deepEqual(answered('TypeError: means that a value is of another type.'), []);
  });

  it("reports a reason that is only in the error's data", () => {
    const wire = DiagnosedWire.withSession();
    const error = { type: 'rate_limit_error', message: 'Too much for today' };
    wire.prompt().refuse(-32603, 'Internal error', { type: 'error', error });
    wire.prompt().refuse(-32603, 'Internal error', { details: 'Incorrect API key provided' });
    wire.ask('session/new', {}).refuse(-32603, 'Internal error', { details: 'Claude Code exited with code 1' });
    assert.deepEqual(wire.said, [
      'error [session-1] failed-turn: Turn failed after 1 ms: Too much for today (rate_limit_error) (-32603). Wait, or use another model or account.',
      "error [session-1] authentication-required: Not logged in: Incorrect API key provided (-32603). Log in with the agent's own command or set its API key, then restart it.",
      'error [] failed-request: `session/new` failed after 1 ms: Claude Code exited with code 1 (-32603).',
    ]);
  });

  it('reports an error, a limit, a refusal and an empty turn', () => {
    const wire = DiagnosedWire.withSession();
    wire.prompt().refuse(-32603, 'Internal error: boom');
    wire.prompt().answer({ stopReason: 'max_tokens' });
    wire.prompt().answer({ stopReason: 'refusal' });
    wire.prompt().end();
    wire.prompt('/clear').end();
    const cut = 'turn-cut-short warning';
    assert.deepEqual(wire.codes, ['failed-turn error', cut, cut, 'empty-turn warning']);
    assert.equal(wire.said[0], 'error [session-1] failed-turn: Turn failed after 1 ms: Internal error: boom (-32603).');
  });

  it("explains how to log in, with the agent's login methods", () => {
    const authMethods = [{ id: 'a', name: 'API key' }, { id: 'b' }];
    const wire = DiagnosedWire.withSession({}, { authMethods }).prompt().refuse(-32000, 'Authentication required');
    wire.quiet(16_000);
    assert.match(wire.first, /^error \[session-1\] auth.*: .*Ways to log in, according to the agent: API key, b\./);
  });

  it('does not end a version 2 turn on an empty response', () => {
    const wire = DiagnosedWire.version2().prompt().answer({}).chunk('Done.');
    wire.update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' });
    assert.deepEqual(wire.codes, []);
  });

  it('ignores a state that crosses the prompt, and expects no answer without a prompt', () => {
    const state = (state: string, more: object = {}): object => ({ sessionUpdate: 'state_update', state, ...more });
    const crossed = DiagnosedWire.version2().prompt().update(state('idle')).answer({ messageId: 'm' }).chunk('Done.');
    crossed.wait(5000).update(state('idle', { stopReason: 'end_turn' }));
    assert.deepEqual(crossed.said, []);
    assert.match(crossed.summary('session-1'), /turn ended after 5\.0 s/);
    const early = DiagnosedWire.version2()
      .prompt()
      .update(state('running'))
      .chunk('Done.')
      .wait(5000)
      .update(state('idle'));
    assert.deepEqual(early.answer({ messageId: 'm' }).quiet(1e6).said, []);
    assert.match(early.summary('session-1'), /turn ended after 5\.0 s/);
    const own = DiagnosedWire.version2().update(state('running')).update(state('idle'));
    assert.deepEqual(own.said, []);
  });

  it('reports a turn that ended with its agent, unless the agent was asked to exit', () => {
    const ended = DiagnosedWire.withSession().prompt().exit(0);
    assert.deepEqual(ended.codes, ['agent-ended error', 'failed-turn notice']);
    assert.deepEqual(DiagnosedWire.withSession().prompt().process({ ev: 'stdin-close' }).exit(0).codes, []);
  });

  it('reports problems with the right session if its ID is very long', () => {
    const sessionId = `${'s'.repeat(300)}-the-end`;
    const wire = new DiagnosedWire().ask('session/new', {}, { sessionId });
    wire.ask('session/prompt', { sessionId, prompt: [] }).end();
    assert.match(wire.first, /^warning \[s+…-the-end\] empty-turn/);
  });
});
