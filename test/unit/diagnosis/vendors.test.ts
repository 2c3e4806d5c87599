import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';

describe('diagnosis: vendors', () => {
  it("reads Claude's retries, which its adapter forwards, and reports them if nothing follows", () => {
    const retry = { type: 'system', subtype: 'api_retry', error_status: 500, error: 'server_error' };
    const wire = DiagnosedWire.withSession().prompt();
    wire.says({ method: '_claude/sdkMessage', params: { sessionId: 'session-1', message: retry } });
    assert.match(wire.summary('session-1'), /^provider unavailable · retry 1/);
    wire.end();
    assert.match(wire.said[0] ?? '', /^error \[session-1\] failed-turn: Turn failed after 1 retry: server_error/);
  });

  it("reads codex's system error, which ends in end_turn", () => {
    const status = { _meta: { codex: { threadStatus: { type: 'systemError' } } } };
    const wire = DiagnosedWire.withSession()
      .prompt()
      .update({ sessionUpdate: 'session_info_update', ...status });
    assert.deepEqual(wire.end().codes, ['failed-turn error']);
  });

  it('follows turns that Qwen Code starts without a prompt', () => {
    const own = (name: string, params: object = {}): object => ({
      method: `_qwencode/${name}`,
      params: { sessionId: 'session-1', source: 'goal', ...params },
    });
    const wire = DiagnosedWire.withSession().says(own('start_turn')).wait(3000);
    assert.equal(wire.summary('session-1'), 'waiting 3.0 s for the model');
    wire.says(own('end_turn', { reason: 'max_tokens' }));
    assert.deepEqual(wire.codes, ['turn-cut-short warning']);
  });

  it("words Qwen Code's notifications, which were JSON at info", () => {
    const notice = (name: string, params: object): object => ({
      method: `qwen/notify/${name}`,
      params: { v: 1, sessionId: 'session-1', ...params },
    });
    const { log } = DiagnosedWire.withSession()
      .says(notice('session/prompt-suggestion', { suggestion: 'Run the tests', promptId: 'p' }))
      .says(notice('session/recording-degraded', { reason: 'write_failed' }))
      .says(notice('workspace/generation/event', { generation: {} }));
    const own = log.store.query().filter(({ logger }) => logger === 'qwen');
    const said = own.map(({ level, message }) => `${level} ${message}`);
    assert.deepEqual(said, [
      'debug prompt suggestion: Run the tests',
      'warning recording degraded: write_failed',
      'debug generation event',
    ]);
  });

  it('reports a missing login in a status as a notice', () => {
    const status = (kind: string): object => ({
      method: '_auth/status_update',
      params: { authStatus: { kind, label: 'L' } },
    });
    const wire = DiagnosedWire.withSession().says(status('gateway')).says(status('none'));
    assert.deepEqual(wire.codes, ['authentication-required notice']);
  });

  it('reports a missing login of a language server once, in any of its forms', () => {
    const status = { category: 'auth', kind: 'Error', message: 'You are not signed into GitHub.' };
    const wire = new DiagnosedWire('lsp')
      .says({ method: 'didChangeStatus/v2', params: { statuses: [status] } })
      .ask('textDocument/inlineCompletion', {})
      .refuse(1000, 'Not authenticated: NotSignedIn');
    assert.deepEqual(wire.codes, ['authentication-required warning']);
    wire.exit(0);
    assert.equal(wire.said.length, 1);
  });
});
