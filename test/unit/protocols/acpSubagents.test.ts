import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AcpWire } from '../../support/acpWire';

const root = 'session-1';

/** A run of this version with a running prompt. */
function prompted(version = 2): AcpWire {
  const wire = new AcpWire();
  wire.send('c2a', { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: version } });
  wire.send('a2c', { jsonrpc: '2.0', id: 1, result: { protocolVersion: version } });
  wire.send('c2a', { jsonrpc: '2.0', id: 2, method: 'session/new', params: {} });
  wire.send('a2c', { jsonrpc: '2.0', id: 2, result: { sessionId: root } });
  const prompt = [{ type: 'text', text: 'Delegate.' }];
  return wire.send('c2a', { jsonrpc: '2.0', id: 3, method: 'session/prompt', params: { sessionId: root, prompt } });
}

function announce(wire: AcpWire, sessionId: string, parent = root, fields: object = {}): AcpWire {
  return wire.update({ sessionUpdate: 'subagent_update', sessionId, ...fields }, parent);
}

function close(wire: AcpWire): AcpWire {
  wire.send('c2a', { jsonrpc: '2.0', id: 9, method: 'session/close', params: { sessionId: root } });
  return wire.send('a2c', { jsonrpc: '2.0', id: 9, result: {} });
}

const running = { state: { state: 'running' } };
const idle = { state: { state: 'idle', stopReason: 'end_turn' } };

describe('ACP reader: subagents', () => {
  for (const version of [1, 2]) {
    it(`files a child below the session that announced it, with its records and turn (version ${version})`, () => {
      const wire = prompted(version);
      announce(wire, 'child', root, { title: 'Count files', description: 'general', ...running });
      if (version === 2) wire.update({ sessionUpdate: 'state_update', state: 'running' }, 'child');
      wire.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Seven.' } }, 'child');
      announce(wire, 'child', root, idle);
      if (version === 2) wire.update({ sessionUpdate: 'state_update', ...idle.state }, 'child');
      const child = wire.log.find('child');
      assert.equal(child?.parent, root);
      assert.equal(child.title, 'Count files');
      const info = wire.lines.filter((line) => line.startsWith('info'));
      assert.deepEqual(info.slice(-4), [
        `info [${root}] subagent: started "Count files": general`,
        'info [child] agent: Seven.',
        `info [${root}] subagent: "Count files" ended: end_turn`,
        `info [child] turn: ended after ${version === 2 ? 3 : 2} ms: end_turn`,
      ]);
      const spans = wire.log.spans({ kinds: ['subagent', 'turn'] });
      const [prompt, subagent, turn] = spans;
      assert.deepEqual([subagent?.parent, turn?.parent], [prompt?.id, subagent?.id]);
      assert.deepEqual([subagent?.outcome, turn?.outcome], ['ok', 'ok']);
    });
  }

  it('starts a second span if a child receives another message', () => {
    const wire = prompted();
    for (let i = 0; i < 2; i++) {
      announce(wire, 'child', root, running);
      announce(wire, 'child', root, idle);
    }
    assert.equal(wire.log.spans({ kinds: ['subagent'] }).length, 2);
    assert.ok(wire.lines.some((line) => line.includes('runs again')));
  });

  it('names the child that asks for permission', () => {
    const wire = announce(prompted(), 'child', root, { title: 'Writer', ...running });
    const params = { sessionId: 'child', title: 'Write a.txt?', options: [{ optionId: 'y', name: 'Yes' }] };
    wire.send('a2c', { jsonrpc: '2.0', id: 70, method: 'session/request_permission', params });
    assert.equal(wire.lines.at(-1), 'notice [child] permission: subagent "Writer" asked for: Write a.txt? (Yes)');
  });

  it('shows messages between sessions once at info, at the recipient', () => {
    const wire = announce(prompted(), 'child', root, { title: 'Reader' });
    const message = { messageId: 'm', senderSessionId: root, recipientSessionId: 'child' };
    const content = [{ type: 'text', text: 'Read it.' }];
    wire.update({ sessionUpdate: 'session_message', ...message, content });
    wire.update({ sessionUpdate: 'session_message', ...message, content }, 'child');
    wire.update({ sessionUpdate: 'session_message', ...message, messageId: 'n' }, 'child');
    for (const text of ['And ', 'that.']) {
      wire.update({ sessionUpdate: 'session_message_chunk', messageId: 'n', content: { type: 'text', text } }, 'child');
    }
    wire.exit();
    assert.deepEqual(
      wire.lines.filter((line) => line.includes('message:')).map((line) => line.trim()),
      [
        `debug [${root}] message: to "Reader": Read it.`,
        'info [child] message: from its parent: Read it.',
        'debug [child] message: from its parent:',
        'info [child] message: from its parent: And that.',
      ],
    );
  });

  it('ends children with their root, at any depth', () => {
    const wire = prompted();
    announce(wire, 'child', root, running);
    announce(wire, 'grandchild', 'child', running);
    close(wire);
    assert.deepEqual(
      wire.log.sessions.map(({ ended }) => ended),
      [true, true, true],
    );
    assert.deepEqual(
      wire.log
        .spans({ kinds: ['turn'] })
        .slice(1)
        .map(({ outcome }) => outcome),
      ['cancelled', 'cancelled'],
    );
  });

  it('keeps the first parent, and ignores a session announced below itself', () => {
    const wire = prompted();
    announce(wire, 'child', root, running);
    announce(wire, 'other', root, running);
    announce(wire, 'child', 'other');
    announce(wire, root, 'child');
    announce(wire, root);
    assert.equal(wire.log.find('child')?.parent, root);
    assert.equal(wire.log.find(root)?.parent, undefined);
    assert.equal(wire.lines.filter((line) => line.includes(': ignored ')).length, 3);
  });

  it('shows updates of an unannounced session', () => {
    const wire = prompted().update({ sessionUpdate: 'plan_removed', planId: 'p' }, 'stranger');
    assert.equal(wire.lines.at(-1), 'info [stranger] plan: plan removed');
    assert.equal(wire.log.find('stranger')?.parent, undefined);
  });

  it('stays bounded with 10,000 children, and with deep nesting', () => {
    const wide = prompted();
    for (let i = 0; i < 10_000; i++) announce(wide, `child-${i}`, root, running);
    assert.ok(wide.log.sessions.length <= 1001, String(wide.log.sessions.length));
    assert.equal(wide.log.find('child-0')?.parent, root);
    close(wide);
    const deep = prompted();
    for (let i = 0; i < 200; i++) announce(deep, `child-${i}`, i === 0 ? root : `child-${i - 1}`, running);
    close(deep);
    const depthOf = (id: string | undefined): number => (id === undefined ? 0 : 1 + depthOf(deep.log.find(id)?.parent));
    assert.equal(Math.max(...deep.log.sessions.map(({ id }) => depthOf(id))), 51);
  });

  it('survives any announcement and state', () => {
    const id = fc.constantFrom(root, 'a', 'b', 'c', '', 7, null, undefined);
    const state = fc.oneof(
      fc.constantFrom(null, 'idle', {}, 3),
      fc.record({ state: fc.constantFrom('running', 'idle', '_x', 1) }),
    );
    const update = fc.record(
      {
        sessionUpdate: fc.constantFrom('subagent_update', 'state_update', 'session_message'),
        sessionId: id,
        state,
        title: id,
      },
      { requiredKeys: ['sessionUpdate'] },
    );
    const session = fc.constantFrom(root, 'a', 'b', 'c');
    fc.assert(
      fc.property(fc.array(fc.tuple(update, session), { maxLength: 40 }), (updates) => {
        const wire = prompted();
        for (const [one, sessionId] of updates) wire.update(one, sessionId);
        close(wire).exit();
        for (const { id: own } of wire.log.sessions) {
          const above = new Set<string>();
          for (let at = wire.log.find(own); at?.parent !== undefined; at = wire.log.find(at.parent)) {
            assert.ok(!above.has(at.parent), 'a session below itself');
            above.add(at.parent);
          }
        }
        assert.ok(wire.log.spans().every(({ endedAt }) => endedAt !== undefined));
      }),
    );
  });
});

describe('ACP reader: prompts of version 2', () => {
  const prompt = (wire: AcpWire, id: number, fields: object = {}): AcpWire => {
    const params = { sessionId: root, prompt: [{ type: 'text', text: `prompt ${id}` }], ...fields };
    return wire.send('c2a', { jsonrpc: '2.0', id, method: 'session/prompt', params });
  };
  const accept = (wire: AcpWire, id: number, messageId = `m${id}`): AcpWire =>
    wire.send('a2c', { jsonrpc: '2.0', id, result: { messageId } });
  const echo = (wire: AcpWire, id: number): AcpWire =>
    wire.update({ sessionUpdate: 'user_message_chunk', messageId: `m${id}`, content: { type: 'text', text: 'x' } });
  const state = (wire: AcpWire, fields: object): AcpWire => wire.update({ sessionUpdate: 'state_update', ...fields });

  it('ends a queued prompt when its own turn ends', () => {
    const wire = accept(prompted(), 3);
    state(wire, { state: 'running' });
    prompt(wire, 4);
    prompt(wire, 5);
    for (const id of [4, 5]) {
      state(wire, { state: 'idle', stopReason: 'end_turn' });
      assert.equal(wire.log.requests.length, 6 - id, 'the other one has not ended');
      state(accept(echo(wire, id), id), { state: 'running' });
    }
    state(wire, { state: 'idle', stopReason: 'end_turn' });
    assert.equal(wire.log.requests.length, 0);
    assert.deepEqual(
      wire.log.spans({ kinds: ['turn'] }).map(({ title, outcome }) => [title, outcome]),
      [
        ['Delegate.', 'ok'],
        ['prompt 4', 'ok'],
        ['prompt 5', 'ok'],
      ],
    );
  });

  it('reports a queued prompt refused with -32800 as cancelled, and keeps the turn running', () => {
    const wire = state(accept(prompted(), 3), { state: 'running' });
    prompt(wire, 4).send('a2c', { jsonrpc: '2.0', id: 4, error: { code: -32800, message: 'Request cancelled' } });
    assert.match(wire.lines.at(-1) ?? '', /^info .*turn: cancelled/);
    assert.deepEqual(
      wire.log.spans({ kinds: ['turn'] }).map(({ endedAt }) => endedAt),
      [undefined],
    );
  });

  it('shows the echo of a prompt at debug, and other user messages at info', () => {
    const wire = accept(echo(prompted(), 3), 3);
    wire.update({
      sessionUpdate: 'user_message',
      messageId: 'other',
      content: [{ type: 'text', text: 'From elsewhere' }],
    });
    const users = wire.lines.filter((line) => line.includes('user:'));
    assert.deepEqual(users, [`debug [${root}] user: x`, `info [${root}] user: From elsewhere`]);
  });

  it('treats a retry with the same key as the same prompt', () => {
    const wire = new AcpWire();
    wire.send('c2a', { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 2 } });
    wire.send('a2c', { jsonrpc: '2.0', id: 1, result: { protocolVersion: 2 } });
    for (const id of [2, 3]) accept(prompt(wire, id, { idempotencyKey: 'key' }), id, 'm');
    assert.deepEqual(
      wire.log.requests.map(({ id }) => id),
      [2],
    );
    assert.ok(wire.lines.some((line) => line.endsWith('prompt: sent again: prompt 3')));
    state(wire, { state: 'idle', stopReason: 'end_turn' });
    assert.equal(wire.log.spans({ kinds: ['turn'] }).length, 1);
    // If the agent ignores the key, it answers with another message.
    for (const id of [4, 5]) accept(prompt(wire, id, { idempotencyKey: 'other' }), id);
    assert.equal(wire.log.requests.length, 2);
  });

  it('creates a turn for unprompted work, and lists background work', () => {
    const wire = state(accept(prompted(), 3), { state: 'running' });
    wire.update({ sessionUpdate: 'terminal_update', terminalId: 't', command: 'npm run watch' });
    const background = [{ type: 'terminal', terminalId: 't' }];
    state(wire, { state: 'idle', stopReason: 'end_turn', background });
    state(wire, { state: 'idle', background });
    state(wire, { state: 'running', background: [] });
    state(wire, { state: 'idle', stopReason: 'end_turn', usage: { inputTokens: 2 } });
    const info = wire.lines.filter((line) => line.startsWith('info')).map((line) => line.replace(/^.*?\] /, ''));
    assert.deepEqual(info.slice(-5), [
      'background: in the background: npm run watch',
      'turn: ended after 4 ms: end_turn',
      'background: no background work left',
      'turn: started without a prompt',
      'turn: ended after 1 ms: end_turn',
    ]);
    assert.deepEqual(
      wire.log
        .spans()
        .slice(-3)
        .map(({ kind, title }) => `${kind} ${title}`),
      ['turn Delegate.', 'subagent npm run watch', 'turn turn'],
    );
    assert.equal(wire.log.spans().at(-1)?.usage?.basis, 'turn');
  });

  it('shows history at debug until the replay is complete, and derives nothing from it', () => {
    const wire = new AcpWire();
    const params = { sessionId: root, replayFrom: { type: 'start' } };
    wire.send('c2a', { jsonrpc: '2.0', id: 1, method: 'session/resume', params });
    wire.update({ sessionUpdate: 'notice', severity: 'error', title: 'Old trouble' });
    announce(wire, 'child', root, running);
    wire.update({ sessionUpdate: 'tool_call_update', toolCallId: 't', title: 'make', status: 'failed' }, 'child');
    wire.update({ sessionUpdate: 'agent_message', messageId: 'a', content: [] });
    wire.update({ sessionUpdate: 'replay_complete' });
    wire.send('a2c', { jsonrpc: '2.0', id: 1, result: {} });
    assert.deepEqual(wire.log.spans({ kinds: ['tool', 'turn', 'subagent'] }), []);
    const levels = wire.log.store.query().map(({ level, message }) => `${level} ${message.slice(0, 20)}`);
    assert.deepEqual(levels.slice(0, 2), ['debug (replay) Old trouble', 'debug (replay) started "ch']);
    assert.match(wire.lines.at(-1) ?? '', /session\/resume answered in 6 ms, 5 updates replayed$/);
    assert.equal(wire.log.find('child')?.parent, root);
  });
});
