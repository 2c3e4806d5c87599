import assert from 'node:assert/strict';
import { AcpWire } from '../../support/acpWire';

/** A run of version 2 with a prompt. */
const prompted = (): AcpWire => AcpWire.speaking(2).prompt(2, 'do it');
const echo = (wire: AcpWire, id: number): AcpWire =>
  wire.update({ sessionUpdate: 'user_message_chunk', messageId: `m${id}`, content: { type: 'text', text: 'x' } });

describe('ACP interpreter: prompts of version 2', () => {
  const ended = 'info turn: ended after … ms: end_turn';
  for (const [what, answer] of Object.entries({ 'a message': { messageId: 'm2' }, 'nothing, as in drafts': {} })) {
    it(`are answered with ${what}, after which their turn runs until the session is idle`, () => {
      const wire = prompted().answer(2, answer).state('running', { background: [] });
      assert.deepEqual(wire.open, [2]);
      wire.state('requires_action').idle();
      assert.deepEqual(wire.open, []);
      const turn = ['debug turn: accepted', 'debug turn: running', 'debug turn: waits for the user', ended];
      assert.deepEqual(wire.told, ['info prompt: do it', ...turn]);
    });
  }

  it('are closed, the oldest first, if more than 1000 were accepted and never ended', () => {
    const wire = prompted().accepted(2);
    for (let id = 3; id < 1203; id++) wire.prompt(id).accepted(id);
    assert.equal(wire.open.length, 1000);
  });

  it('are not ended by an idle state from before they arrived', () => {
    const wire = prompted().state('idle').accepted(2);
    assert.deepEqual(wire.open, [2]);
    wire.idle();
    assert.deepEqual(wire.open, []);
    assert.equal(wire.told.at(-1), ended);
  });

  it('end when a session that ran or sent output becomes idle, even without a stop reason', () => {
    const said = { sessionUpdate: 'agent_message', messageId: 'a', content: [{ type: 'text', text: 'Done.' }] };
    for (const wire of [prompted().state('running'), prompted().chunk('Done.'), prompted().update(said)]) {
      wire.state('idle').accepted(2);
      assert.deepEqual(wire.open, []);
      assert.match(wire.told.at(-1) ?? '', /^info turn: ended/);
    }
  });

  it('stay open in a queue when the turn before them ends', () => {
    const wire = prompted().accepted(2).prompt(3).chunk('The last word.').state('idle').accepted(3);
    assert.deepEqual(wire.open, [3]);
  });

  it('may end before they are answered, and several at once', () => {
    const wire = prompted().prompt(3).accepted(3).state('idle', { stopReason: 'max_tokens' });
    assert.deepEqual(wire.open, [2]);
    wire.accepted(2);
    assert.deepEqual(wire.open, []);
    const ends = wire.told.filter((line) => line.includes('ended'));
    assert.deepEqual(ends, Array(2).fill('warning turn: ended after … ms: max_tokens'));
  });

  it('start no turn if they steered the turn before them', () => {
    const wire = prompted().accepted(2).prompt(3);
    wire.update({ sessionUpdate: 'user_message', messageId: 'm3', content: [{ type: 'text', text: 'do it' }] });
    wire.idle().accepted(3);
    assert.deepEqual(wire.turns, ['do it: ok']);
  });

  it('are echoed at debug, other messages of users at info', () => {
    const wire = echo(prompted(), 2).accepted(2);
    const content = [{ type: 'text', text: 'From elsewhere' }];
    wire.update({ sessionUpdate: 'user_message', messageId: 'other', content });
    const users = wire.told.filter((line) => line.includes('user:'));
    assert.deepEqual(users, ['debug user: x', 'info user: From elsewhere']);
  });

  it('are the same if they are sent again with their key', () => {
    const key = { idempotencyKey: 'key' };
    const wire = AcpWire.speaking(2).prompt(2, 'a', key).accepted(2, 'm').prompt(3, 'b', key).accepted(3, 'm');
    assert.deepEqual(wire.open, [2]);
    assert.ok(wire.told.includes('info prompt: sent again: b'));
    assert.equal(wire.idle().turns.length, 1);
    // If the agent ignores the key, it answers with another message.
    const other = { idempotencyKey: 'other' };
    wire.prompt(4, 'a', other).accepted(4).prompt(5, 'b', other).accepted(5);
    assert.deepEqual(wire.open, [4, 5]);
  });

  it('have another turn if they are sent again after their end, and the agent runs it', () => {
    const wire = AcpWire.speaking(2);
    for (const id of [1, 2]) {
      wire.prompt(id, 'do it', { idempotencyKey: 'key' }).accepted(id, 'm').state('running').idle();
    }
    const again = ['info prompt: sent again: do it', 'debug turn: accepted before: a retry', 'debug turn: running'];
    assert.deepEqual(wire.told.slice(4), [...again, ended]);
  });

  it('fail with the error of the end, which is shown again without a turn', () => {
    const end = { stopReason: 'error', error: { code: -32603, message: 'no model' } };
    const wire = prompted().accepted(2).state('idle', end);
    assert.equal(wire.told.at(-1), 'error turn: failed after … ms: no model (-32603)');
    assert.match(wire.state('idle', end).told.at(-1) ?? '', /^error turn: idle .*no model/);
    assert.equal(wire.state('_napping', { why: 1 }).told.at(-1), 'debug turn: _napping {"why":1}');
  });

  it('are never answered if the agent ends, which forgets what it was doing', () => {
    assert.match(prompted().accepted(2).exit().told.at(-1) ?? '', /^error turn: was never answered/);
    const wire = prompted().accepted(2).idle();
    wire.state('running', { background: [{ type: 'monitor', taskId: 't' }] });
    wire.ask(3, 'session/load', { sessionId: 'session-2' }).exit();
    wire.wait(3 * 3_600_000);
    const before = wire.told.length;
    assert.deepEqual(wire.open, []);
    assert.deepEqual(wire.state('idle').told.slice(before), ['debug turn: idle']);
    // A prompt to the new process starts and ends a turn of its own.
    wire.prompt(4).state('running').idle().accepted(4);
    assert.deepEqual(wire.open, []);
    wire.update({ sessionUpdate: 'tool_call', toolCallId: 'a', title: 'A' }, 'session-2');
    assert.equal(wire.log.store.query({ sessionId: 'session-2' }).at(-1)?.message, 'A');
  });
});
