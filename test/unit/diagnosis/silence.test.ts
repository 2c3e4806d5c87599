import assert from 'node:assert/strict';
import { wholeLine } from '../../../src/wire/lines/wholeLine';
import { WireLine } from '../../../src/wire/wireLine';
import { DiagnosedWire } from '../../support/diagnosedWire';

describe('diagnosis: silence', () => {
  it('reports an unanswered request once, and updates its row', () => {
    const wire = new DiagnosedWire().ask('initialize', {});
    assert.equal(wire.diagnoser.isWaiting, true);
    assert.deepEqual(wire.quiet(29_000).codes, []);
    assert.match(wire.quiet(2000).first, /^warning \[\] unanswered-request: `initialize` unanswered for 30 s/);
    wire.quiet(100_000);
    assert.match(wire.said.join(), /30 s/);
    wire.answer({ protocolVersion: 1 }).quiet(1e6);
    assert.match(wire.said[1] ?? '', /^notice \[\] unanswered-request: `initialize` was answered after 2 min 11 s/);
    assert.equal(wire.said.length, 2);
    assert.equal(wire.diagnoser.isWaiting, false);
  });

  it('reports a wait when it is due, and never after it is over', () => {
    const wire = DiagnosedWire.withSession().prompt().quiet(61_000);
    assert.deepEqual(wire.codes, ['silence warning']);
    assert.equal(wire.quiet(60_000).codes.length, 1);
    wire.chunk('Here it is.').quiet(59_000);
    assert.deepEqual(wire.codes, ['silence warning', 'silence notice']);
    assert.match(wire.said[1] ?? '', /Activity again after 2 min 1 s/);
    wire.quiet(2000);
    assert.equal(wire.codes.length, 3);
    wire.end().quiet(200_000);
    assert.deepEqual(wire.codes.slice(2), ['silence warning', 'silence notice']);
  });

  it('reports several waits together, and only while they last', () => {
    const wire = new DiagnosedWire('mcp');
    for (let i = 0; i < 200; i++) wire.ask('tools/call', { name: 'x' });
    wire.quiet(301_000);
    assert.equal(wire.codes.length, 1);
    assert.match(wire.first, /`tools\/call` unanswered for 5 min 0 s \(and 199 others\)\./);
    for (let id = 1; id < 200; id++) wire.says({ id, result: { content: [] } });
    assert.equal(wire.codes.length, 1, 'the last one still waits');
    wire.says({ id: 200, result: { content: [] } });
    assert.match(wire.quiet(120_000).said[1] ?? '', /`tools\/call` was answered after 5 min 1 s/);
    assert.equal(wire.codes.length, 2);
  });

  it('reports only the longest wait for a method', () => {
    const wire = new DiagnosedWire('mcp');
    for (let i = 0; i < 40; i++) wire.ask('ping', {}).quiet(30_000);
    assert.equal(wire.codes.length, 1, wire.said.join('\n'));
    wire.says({ id: 1, result: {} });
    assert.equal(wire.codes.length, 1, wire.said.join('\n'));
  });

  it('does not report an agent that uses the client, or logs', () => {
    const file = { sessionId: 'session-1', path: '/a' };
    const wire = DiagnosedWire.withSession({ fs: { readTextFile: true }, terminal: true, logging: {} }).prompt();
    for (let id = 100; id < 120; id++) {
      wire.quiet(5000).says({ id, method: 'fs/read_text_file', params: file });
      wire.reply(id, { content: '' });
    }
    for (let i = 0; i < 20; i++) {
      wire.quiet(5000).says({ method: 'log', params: { sessionId: 'session-1', level: 'info', message: `${i}` } });
    }
    wire.asks(1, 'terminal/wait_for_exit', { sessionId: 'session-1', terminalId: 't' });
    wire.quiet(290_000).reply(1, { exitCode: 0 });
    wire.end();
    assert.deepEqual(wire.said, []);
  });

  it('reports a turn in which the client does not answer', () => {
    const wire = DiagnosedWire.withSession({ terminal: true }).prompt();
    const params = { sessionId: 'session-1', terminalId: 't' };
    wire.asks(1, 'terminal/wait_for_exit', params).quiet(301_000);
    const why = "No activity for 5 min 0 s while the client hasn't answered `terminal/wait_for_exit`.";
    assert.ok(wire.first.includes(why), wire.first);
  });

  it("gives the client's model as much time as a tool, for earlier requests only", () => {
    const wire = new DiagnosedWire('mcp').ask('prompts/get', {});
    wire.asks(1, 'sampling/createMessage', { messages: [], maxTokens: 1 });
    wire.wait(1).ask('tools/list', {}).quiet(31_000);
    assert.equal(wire.codes.length, 1);
    assert.match(wire.first, /`tools\/list` unanswered for 30 s\./);
    wire.quiet(270_000);
    const why = "`prompts/get` unanswered for 5 min 0 s while the client hasn't answered `sampling/createMessage`.";
    assert.ok(wire.said.join('\n').includes(why));
  });

  it('treats a log message that is read from its bytes as activity', () => {
    const wire = DiagnosedWire.withSession({ logging: {} }).prompt();
    const params = { sessionId: 'session-1', level: 'info', message: 'at work' };
    const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', method: 'log', params }));
    const line = new WireLine(50_000, 'a2c', wholeLine(bytes));
    wire.accept(line);
    assert.ok(line.isLog && line.source.chunk);
    assert.deepEqual(wire.quiet(100_000).codes, []);
    assert.deepEqual(wire.quiet(11_000).codes, ['silence warning']);
  });

  it('does not report a request while the user is asked about it', () => {
    const wire = new DiagnosedWire().ask('initialize', {}, { protocolVersion: 1 }).ask('session/new', { cwd: '/' });
    wire.asks(1, 'elicitation/create', { requestId: 2, mode: 'form', message: 'Which one?' });
    assert.deepEqual(wire.quiet(1e6).codes, ['waiting-for-user notice']);
    wire.reply(1, { action: 'decline' });
    const unanswered = (): string | undefined => wire.said.find((said) => said.includes('unanswered-request'));
    wire.quiet(29_000);
    assert.equal(unanswered(), undefined);
    wire.quiet(2000);
    assert.match(unanswered() ?? '', /`session\/new` unanswered for 30 s/);
  });

  it('does not report silence if the clock is set back', () => {
    const wire = new DiagnosedWire().accept({ t: 3_600_000, dir: 'err', line: 'hello' });
    const at = (t: number, dir: 'c2a' | 'a2c', msg: object): void => {
      wire.accept({ t, dir, line: JSON.stringify(msg), msg: { jsonrpc: '2.0', ...msg } });
    };
    at(1000, 'c2a', { id: 1, method: 'session/new', params: { cwd: '/', mcpServers: [] } });
    wire.accept({ t: 1050, dir: 'err', line: 'working' });
    at(1100, 'a2c', { id: 1, result: { sessionId: 's' } });
    assert.deepEqual(wire.codes, []);
  });

  it('gives tools more time, and the user any time', () => {
    const wire = DiagnosedWire.withSession().prompt().call('make', 'in_progress').quiet(200_000);
    assert.deepEqual(wire.codes, []);
    const params = { sessionId: 'session-1', toolCall: { toolCallId: '1' }, options: [] };
    wire.asks(1, 'session/request_permission', params);
    const silence = (ms: number): string[] => wire.quiet(ms).about('silence');
    assert.deepEqual([...silence(1e8), ...silence(1000)], []);
    assert.equal(wire.diagnoser.isWaiting, false);
    wire.reply(1, { outcome: { outcome: 'cancelled' } });
    assert.deepEqual(silence(310_000), ['silence notice']);
    assert.deepEqual(silence(900_000), ['silence notice', 'silence warning']);
  });

  it('settles the wait for a tool that finishes, but not one that was cancelled', () => {
    const waited = (): DiagnosedWire =>
      DiagnosedWire.withSession().prompt().call('make', 'in_progress').quiet(700_000).quiet(600_000);
    const wire = waited();
    const [, problem] = wire.log.store.query({ kinds: ['diagnosis'] });
    assert.equal(wire.log.find('session-1')?.worst, 'warning');
    wire.called('completed').chunk('Made.').end();
    assert.match(wire.said[2] ?? '', /^notice \[session-1\] silence: `make` finished after 21 min 40 s/);
    const settling = wire.log.store.query({ kinds: ['diagnosis'] })[2];
    assert.deepEqual(wire.data[2]?.settles?.includes(problem?.seq ?? 0), true);
    assert.equal(wire.log.settledBy(problem?.seq ?? 0), settling?.seq);
    assert.notEqual(wire.log.find('session-1')?.worst, 'warning');
    assert.equal(wire.log.find('session-1')?.standing.warning, 0);
    assert.equal(wire.log.find(undefined)?.summary?.worst, undefined);
    assert.match(wire.summary('session-1'), /^turn ended after/);
    const stuck = waited();
    stuck.cancel().answer({ stopReason: 'cancelled' });
    assert.deepEqual(stuck.codes, ['silence notice', 'silence warning']);
    assert.equal(stuck.log.find('session-1')?.standing.warning, 1);
  });

  it('treats one large gap as sleep if the agent continues after it', () => {
    const wire = DiagnosedWire.withSession().prompt().chunk('Working').wait(3_600_000).chunk(' on');
    assert.deepEqual(wire.end().codes, []);
    assert.deepEqual(DiagnosedWire.withSession().prompt().quiet(3_600_000).codes, []);
  });

  it('reports a stuck call next to one that reports progress', () => {
    const wire = new DiagnosedWire('mcp').ask('tools/call', { name: 'hangs', _meta: { progressToken: 1 } });
    wire.ask('tools/call', { name: 'works', _meta: { progressToken: 2 } });
    for (let i = 1; i < 42; i++) {
      wire.quiet(30_000).says({ method: 'notifications/progress', params: { progressToken: 2, progress: i } });
    }
    assert.equal(wire.codes.filter((code) => code === 'unanswered-request warning').length, 1);
  });

  it('stops waiting when the agent exits', () => {
    const wire = DiagnosedWire.withSession().prompt().ask('session/list', {});
    wire.exit(1);
    assert.equal(wire.diagnoser.isWaiting, false);
  });

  it('reports the same for a journal as live', () => {
    const start = (): DiagnosedWire => DiagnosedWire.withSession().prompt();
    const live = start().quiet(30_000).quiet(31_000).quiet(70_000).chunk('x').end();
    const replayed = start().wait(131_000).chunk('x').end();
    assert.deepEqual(live.codes, ['silence warning', 'silence notice']);
    assert.deepEqual(replayed.log.store.query(), live.log.store.query());
  });
});
