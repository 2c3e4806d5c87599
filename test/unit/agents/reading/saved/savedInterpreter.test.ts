import assert from 'node:assert/strict';
import { recognise } from '../../../../../src/agents/reading/recognise';
import { SavedInterpreter } from '../../../../../src/agents/reading/saved/savedInterpreter';
import { StreamWire } from '../../../../support/streamWire';

const sessionId = '5f6c7d8e-0000-4000-8000-000000000001';
const at = '2026-11-20T10:00:00.000Z';

describe('saved session formats', () => {
  it("don't mistake Qwen for Claude", () => {
    const line = {
      uuid: 'u1',
      parentUuid: null,
      sessionId,
      timestamp: at,
      type: 'user',
      provenance: 'real_user',
      message: { role: 'user', parts: [{ text: 'Hi' }] },
    };
    assert.deepEqual(recognise([JSON.stringify(line)]), { type: 'saved', agent: 'qwen' });
  });

  it("don't mistake a saved Claude session for its stream", () => {
    const saved = {
      parentUuid: null,
      type: 'user',
      message: { role: 'user', content: 'Hi' },
      sessionId,
      timestamp: at,
    };
    const stream = { type: 'system', subtype: 'init', session_id: sessionId };
    assert.equal(recognise([JSON.stringify(saved)]).type, 'saved');
    assert.equal(recognise([JSON.stringify(stream)]).type, 'stream-json');
  });

  it('show a line that is too long by its type and size', () => {
    const wire = new StreamWire((context) => new SavedInterpreter(context));
    wire.accept({
      t: 1,
      dir: 'a2c',
      line: '{"timestamp":"x","type":"compacted","payload":{"message":"aaa',
      bytes: 2e8,
    });
    assert.deepEqual(wire.lines, ['notice activity session: A line of type "compacted" is too long to read (200 MB)']);
  });

  it('show a half-written last line by its size', () => {
    const wire = new StreamWire((context) => new SavedInterpreter(context));
    wire.line('{"type":"user","message":{"role":"us');
    assert.deepEqual(wire.lines, [
      'notice activity session: Not a JSON object (36 characters): damaged, or not complete yet',
    ]);
  });

  it('show an error that an interruption causes in Codex as part of it', () => {
    const event = (payload: object) => ({ timestamp: at, ordinal: 1, type: 'event_msg', payload });
    const aborted = { type: 'turn_aborted', reason: 'interrupted' };
    const error = { type: 'error', message: 'stream disconnected' };
    const failed = { type: 'task_complete', error: { message: 'Interrupted', codex_error_info: 'other' } };
    for (const ends of [[aborted, error], [failed], [aborted, failed]]) {
      const wire = new StreamWire((context) => new SavedInterpreter(context));
      wire.send({ timestamp: at, ordinal: 0, type: 'session_meta', payload: { id: sessionId } });
      for (const one of [{ type: 'task_started' }, ...ends]) wire.send(event(one));
      assert.equal(wire.log.store.query().filter(({ level }) => level === 'error').length, 0);
      assert.deepEqual(
        wire.log.spans().map(({ outcome }) => outcome),
        ['cancelled'],
      );
      // The next turn can fail.
      wire.send(event({ type: 'task_started' })).send(event(error));
      assert.equal(wire.log.store.query().filter(({ level }) => level === 'error').length, 1);
    }
  });

  it('count the tokens of a model call once, although it has several lines and only the last one is complete', () => {
    const wire = new StreamWire((context) => new SavedInterpreter(context));
    const line = { parentUuid: null, sessionId, timestamp: at };
    wire.send({ ...line, type: 'user', message: { role: 'user', content: 'Look' } });
    const answer = (text: string, output: number, reason: string | null): void => {
      const usage = { input_tokens: 10, output_tokens: output };
      const content = [{ type: 'text', text }];
      const message = { role: 'assistant', id: 'm1', content, usage, stop_reason: reason };
      wire.send({ ...line, type: 'assistant', message });
    };
    answer('One', 1, null);
    answer('Two', 60, 'end_turn');
    wire.quiet();
    assert.deepEqual(wire.log.store.query().at(-1)?.data, { usage: { inputTokens: 10, outputTokens: 60 } });
  });

  it('report a turn as without an end only if it has none, not if one of its tools has none', () => {
    const line = { parentUuid: null, sessionId, timestamp: at };
    const user = (content: string) => ({ ...line, type: 'user', message: { role: 'user', content } });
    const answer = (id: string, reason: string, ...content: object[]) => ({
      ...line,
      type: 'assistant',
      message: { role: 'assistant', id, content, stop_reason: reason },
    });
    const call = answer('m1', 'tool_use', { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } });
    const done = answer('m2', 'end_turn', { type: 'text', text: 'Done.' });
    const notices = (...lines: object[]): string[] => {
      const wire = new StreamWire((context) => new SavedInterpreter(context));
      for (const one of [user('Look'), ...lines, user('And now?')]) wire.send(one);
      return wire.lines.filter((text) => text.startsWith('notice'));
    };
    assert.deepEqual(notices(call), [
      'notice activity turn: the previous turn has no end; it stopped while Bash: ls ran',
    ]);
    assert.deepEqual(notices(call, done), []);
  });

  it('name a tool result by its call, or by its ID if the call is missing', () => {
    const line = { parentUuid: null, sessionId, timestamp: at };
    const result = (id: string) => ({
      ...line,
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
    });
    const content = [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }];
    const wire = new StreamWire((context) => new SavedInterpreter(context));
    wire.send({ ...line, type: 'assistant', message: { role: 'assistant', id: 'm1', content } });
    for (const id of ['t1', 't1', 't2']) wire.send(result(id));
    assert.deepEqual(
      wire.lines.filter((text) => text.includes('(completed')).map((text) => text.replace(/, in .*?\)/, ')')),
      [
        'info activity tool: Bash: ls (completed): ok',
        'info activity tool: Bash: ls (completed): ok',
        'info activity tool: t2 (completed): ok',
      ],
    );
  });

  it('link subagents to their parent', () => {
    const wire = new StreamWire((context) => new SavedInterpreter(context));
    const message = { role: 'user', content: 'Look' };
    wire.send({ parentUuid: null, type: 'user', message, sessionId, timestamp: at, isSidechain: true, agentId: 'a1' });
    assert.deepEqual(
      wire.log.sessions.map(({ id, parent }) => [id, parent]),
      [[`${sessionId}/a1`, sessionId]],
    );
  });
});
