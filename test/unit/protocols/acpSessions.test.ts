import assert from 'node:assert/strict';
import { withShortNamedIds } from '../../../src/text/sessionLabel';
import { AcpWire as Wire } from '../../support/acpWire';
import { column, rowsOf } from '../../support/columns';

describe('ACP interpreter: sessions', () => {
  it('tracks a session: created, titled, mode changed, closed', () => {
    const modes = { currentModeId: 'a', availableModes: [{ id: 'a', name: 'Ask' }, { id: 'b' }] };
    const wire = new Wire()
      .ask(1, 'session/new', { cwd: '/' }, { sessionId: 's', modes })
      .update({ sessionUpdate: 'session_info_update', title: 'Fix the bug' }, 's')
      .update({ sessionUpdate: 'current_mode_update', currentModeId: 'b' }, 's');
    const before = wire.log.find('s');
    assert.deepEqual([before?.title, before?.currentMode, before?.ended], ['Fix the bug', 'b', false]);
    assert.deepEqual(column(before?.modes ?? [], 'name'), ['Ask', 'b']);
    wire.ask(2, 'session/close', { sessionId: 's' }, {});
    assert.equal(wire.log.find('s')?.ended, true);
    wire.ask(3, 'session/load', { sessionId: 's' });
    assert.equal(wire.log.find('s')?.ended, true);
    wire.answer(3);
    assert.equal(wire.log.find('s')?.ended, false);
  });

  it('keeps the commands that an agent offers, once for sessions that have the same', () => {
    const commands = [
      { name: 'review', description: 'Review a\npull request', input: { hint: 'number' } },
      { name: '/compact', description: 'Summarize', input: null },
      { name: 'not one', description: 'a space' },
      { name: 'x'.repeat(101), description: 'too long' },
      { description: 'no name' },
    ];
    const update = { sessionUpdate: 'available_commands_update', availableCommands: commands };
    const { log } = new Wire().update(update, 's').update(update, 't');
    assert.deepEqual(log.find('s')?.commands, [
      { name: 'review', description: 'Review a pull request', hint: 'number' },
      { name: 'compact', description: 'Summarize' },
    ]);
    assert.equal(log.find('t')?.commands, log.find('s')?.commands);
    assert.deepEqual(new Wire().update({ ...update, availableCommands: 7 }, 's').log.find('s')?.commands, []);
  });

  it('titles a session by its first prompt until the agent does', () => {
    const wire = new Wire().prompt(1, ' Fix\nthe bug');
    const title = (): string | undefined => wire.log.find('session-1')?.title;
    assert.equal(title(), 'Fix the bug');
    wire.answer(1, { stopReason: 'end_turn' }).prompt(2, 'And the other');
    assert.equal(title(), 'Fix the bug');
    wire.update({ sessionUpdate: 'session_info_update', title: 'Two bugs' }).prompt(3, 'Thanks');
    assert.equal(title(), 'Two bugs');
    // A process that starts again only forgets what was running.
    wire.exit().prompt(1, 'Go on');
    assert.equal(title(), 'Two bugs');
    wire.update({ sessionUpdate: 'session_info_update', title: null });
    assert.equal(title(), 'Fix the bug');
  });

  it('titles a session and its turn by what the user asked, without what programs add', () => {
    const texts = ['<system-reminder>\nUse tabs.\n</system-reminder>', 'Fix the bug'];
    const { log } = new Wire().prompt(1, '', { prompt: texts.map((text) => ({ type: 'text', text })) });
    assert.equal(log.find('session-1')?.title, 'Fix the bug');
    assert.equal(log.spans({ kinds: ['turn'] })[0]?.title, 'Fix the bug');
  });

  it('titles a session that is loaded by the first prompt of its history', () => {
    const added = '<environment_context>\n<cwd>/x</cwd>\n</environment_context>';
    for (const [texts, title] of [
      [['Fix the bug', 'And the other'], 'Fix the bug'],
      [[added, 'And the other'], 'And the other'],
    ] as const) {
      const wire = new Wire().ask(1, 'session/load', { sessionId: 'session-1' });
      for (const text of texts) wire.update({ sessionUpdate: 'user_message_chunk', content: { type: 'text', text } });
      assert.equal(wire.log.find('session-1')?.title, title);
    }
  });

  it('treats a session as open once it answers a prompt', () => {
    const wire = new Wire().ask(1, 'session/close', { sessionId: 'session-1' }, {});
    wire.prompt(2).refuse(2, -32602, 'no such session');
    assert.equal(wire.log.find('session-1')?.ended, true);
    wire.prompt(3).answer(3, { stopReason: 'end_turn' });
    assert.equal(wire.log.find('session-1')?.ended, false);
  });

  it('treats a session as closed even if its turn was still running', () => {
    const wire = new Wire().prompt(1).ask(2, 'session/close', { sessionId: 'session-1' }, {});
    wire.answer(1, { stopReason: 'cancelled' });
    assert.equal(wire.log.find('session-1')?.ended, true);
    assert.deepEqual(wire.open, []);
    wire.prompt(3).answer(3, { stopReason: 'end_turn' });
    assert.equal(wire.log.find('session-1')?.ended, false);
  });

  it('keeps the titles of calls for the 30 sessions that were busy last', () => {
    const wire = new Wire();
    const call = (sessionUpdate: string, id: number, fields: Record<string, unknown>): unknown =>
      wire.update({ sessionUpdate, toolCallId: 'call', ...fields }, `session-${id}`);
    for (let id = 0; id < 30; id++) call('tool_call', id, { title: `Call ${id}` });
    call('tool_call_update', 0, { status: 'in_progress' });
    call('tool_call', 30, { title: 'Call 30' });
    for (const id of [0, 2, 1]) call('tool_call_update', id, { status: 'completed' });
    const lines = wire.lines.slice(-3).map((line) => line.replace(/^.*tool: /, ''));
    assert.deepEqual(lines, ['Call 0 (completed)', 'Call 2 (completed)', 'call (completed)']);
  });

  it('forgets the prompts and the calls of a process that ended', () => {
    const content = { type: 'text', text: 'Again' };
    const echo = { sessionUpdate: 'user_message_chunk', messageId: 'm', content };
    const wire = new Wire().prompt(1, 'Again').update(echo);
    wire.update({ sessionUpdate: 'tool_call', toolCallId: 'call', title: 'npm test' }).exit();
    wire.update({ sessionUpdate: 'tool_call_update', toolCallId: 'call', status: 'completed' });
    assert.match(wire.lines.at(-1) ?? '', /tool: call \(completed\)$/);
    wire.update(echo).update({ sessionUpdate: 'plan_removed' });
    assert.match(wire.lines.at(-2) ?? '', /^info .*user: Again$/);
  });

  it('shortens IDs, but not source code or addresses', () => {
    for (const text of [
      'const sessionId = base64url.encode(x);',
      'session_id: std::uint64_t',
      'session id: localhost:3000 refused',
      'no session id: 127.0.0.1:8080',
      'sessionId: crypto.randomUUID2()',
      'sessionId = makeSessionId2_forUser3(x)',
      'sessionId = sessions_of_2_users_3.first(x)',
      'sessionId: sessionOf2Users',
    ]) {
      assert.equal(withShortNamedIds(text), text);
    }
    const id = 'be36b703-1862-4185-83e4-5cd117d61772';
    for (const [text, short] of [
      [`sessionId=${id}:turn=3`, 'sessionId=…17d61772:turn=3'],
      [`session id: ${id}.`, 'session id: …17d61772.'],
      [`{"session_id":"ses_4a7b1c2d"}`, '{"session_id":"…4a7b1c2d"}'],
      [`session_id=${id}.jsonl`, 'session_id=…17d61772.jsonl'],
      [`"sessionId": "agent:main:5cd117d61772"`, '"sessionId": "…17d61772"'],
      ['sessionID=01jb2x3y4z5a6b7c8d', 'sessionID=…5a6b7c8d'],
    ] as const) {
      assert.equal(withShortNamedIds(text), short);
    }
  });

  it('shortens the ID of a session even before the session is known', () => {
    const id = '40c91563-1862-4185-83e4-e5287aa73ba1';
    const wire = new Wire()
      .accept({ t: 1, dir: 'err', line: `[session/create] sessionId=${id} phase=settings` })
      .accept({ t: 500, dir: 'err', line: `{"level":"info","msg":"created","session_id":"${id}","n":1}` })
      .accept({ t: 1000, dir: 'err', line: '{ sessionId: this.session.identifier }' })
      .ask(1, 'session/list', {}, { sessions: [{ sessionId: id }] })
      .tell('_x', { about: { session_id: id } });
    assert.deepEqual(wire.lines, [
      'info [] [session/create] sessionId=…7aa73ba1 phase=settings',
      'info [] created',
      'info [] { sessionId: this.session.identifier }',
      'debug [] session/list: answered in 1 ms {"sessions":[{"sessionId":"…7aa73ba1"}]}',
      'info [] _x: {"about":{"session_id":"…7aa73ba1"}}',
    ]);
    assert.deepEqual(wire.log.store.query()[1]?.data, { session_id: '…7aa73ba1', n: 1 });
  });

  it("keeps the modes of a forked session apart from the original's", () => {
    const modes = (currentModeId: string): unknown => ({ currentModeId, availableModes: [{ id: currentModeId }] });
    const wire = new Wire()
      .ask(1, 'session/new', {}, { sessionId: 'old', modes: modes('code') })
      .ask(2, 'session/fork', { sessionId: 'old' }, { sessionId: 'new', modes: modes('plan') });
    assert.deepEqual(rowsOf(wire.log.sessions, 'id', 'currentMode'), ['old code', 'new plan']);
    assert.match(wire.lines.at(-1) ?? '', /^info \[new\] session\/fork answered/);
  });

  it('shortens ids in linear time', () => {
    for (const unit of ['session', 'sessionId=', 'sessionId="', 'sessionId=a.-', 'session_id  ', 'sessionId=1a']) {
      withShortNamedIds(unit.repeat(100_000));
      withShortNamedIds(`sessionId=${unit.repeat(100_000)}`);
    }
  });
});
