import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AcpWire } from '../../support/acpWire';
import { column } from '../../support/columns';

const root = 'session-1';

/** A run of this version with a running prompt. */
function prompted(version = 2): AcpWire {
  return AcpWire.speaking(version).ask(2, 'session/new', {}, { sessionId: root }).prompt(3, 'Delegate.');
}

function announce(wire: AcpWire, sessionId: string, parent = root, fields: object = {}): AcpWire {
  return wire.update({ sessionUpdate: 'subagent_update', sessionId, ...fields }, parent);
}

const close = (wire: AcpWire): AcpWire => wire.ask(9, 'session/close', { sessionId: root }, {});

const running = { state: { state: 'running' } };
const idle = { state: { state: 'idle', stopReason: 'end_turn' } };

describe('ACP reader: subagents', () => {
  it('starts a second span if a child receives another message', () => {
    const wire = prompted();
    for (let i = 0; i < 2; i++) {
      announce(wire, 'child', root, running);
      announce(wire, 'child', root, idle);
    }
    assert.equal(wire.log.spans({ kinds: ['subagent'] }).length, 2);
    assert.ok(wire.lines.some((line) => line.includes('runs again')));
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
    assert.deepEqual(wire.exit().linesWith('message:'), [
      `debug [${root}] message: to "Reader": Read it.`,
      'info [child] message: from its parent: Read it.',
      'debug [child] message: from its parent:',
      'info [child] message: from its parent: And that.',
    ]);
  });

  it('ends children with their root, at any depth', () => {
    const wire = prompted();
    announce(wire, 'child', root, running);
    announce(wire, 'grandchild', 'child', running);
    close(wire);
    assert.deepEqual(column(wire.log.sessions, 'ended'), [true, true, true]);
    assert.deepEqual(column(wire.log.spans({ kinds: ['turn'] }), 'outcome').slice(1), ['cancelled', 'cancelled']);
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
    assert.equal(wire.linesWith(': ignored ').length, 3);
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
    const states = fc.record({ state: fc.constantFrom('running', 'idle', '_x', 1) });
    const state = fc.oneof(fc.constantFrom(null, 'idle', {}, 3), states);
    const sessionUpdate = fc.constantFrom('subagent_update', 'state_update', 'session_message');
    const fields = { sessionUpdate, sessionId: id, state, title: id };
    const update = fc.record(fields, { requiredKeys: ['sessionUpdate'] });
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
