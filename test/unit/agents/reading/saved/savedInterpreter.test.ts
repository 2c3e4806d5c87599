import assert from 'node:assert/strict';
import { savedWire } from '../../../../support/streamWire';

const sessionId = '5f6c7d8e-0000-4000-8000-000000000001';
const at = '2026-11-20T10:00:00.000Z';
const line = { parentUuid: null, sessionId, timestamp: at };
const user = (content: unknown): object => ({ ...line, type: 'user', message: { role: 'user', content } });
const answer = (id: string, stop_reason: string | null, content: readonly object[], more: object = {}): object => ({
  ...{ ...line, type: 'assistant' },
  message: { role: 'assistant', id, content, stop_reason, ...more },
});
const call = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } };
const text = (words: string): object => ({ type: 'text', text: words });

describe('saved session formats', () => {
  it('show a line that is too long by its type and size, and a half-written last line by its size', () => {
    const begun = '{"timestamp":"x","type":"compacted","payload":{"message":"aaa';
    const wire = savedWire().accept({ t: 1, dir: 'a2c', line: begun, bytes: 2e8 });
    wire.line('{"type":"user","message":{"role":"us');
    assert.deepEqual(wire.lines, [
      'notice activity session: A line of type "compacted" is too long to read (200 MB)',
      'notice activity session: Not a JSON object (36 characters): damaged, or not complete yet',
    ]);
  });

  it('show an error that an interruption causes in Codex as part of it', () => {
    const event = (payload: object): object => ({ timestamp: at, ordinal: 1, type: 'event_msg', payload });
    const started = event({ type: 'task_started' });
    const aborted = event({ type: 'turn_aborted', reason: 'interrupted' });
    const error = event({ type: 'error', message: 'stream disconnected' });
    const failed = event({ type: 'task_complete', error: { message: 'Interrupted', codex_error_info: 'other' } });
    for (const ends of [[aborted, error], [failed], [aborted, failed]]) {
      const header = { timestamp: at, ordinal: 0, type: 'session_meta', payload: { id: sessionId } };
      const wire = savedWire(header, started, ...ends);
      const errors = (): number => wire.records.filter(({ level }) => level === 'error').length;
      assert.equal(errors(), 0);
      assert.deepEqual([wire.log.spans().length, wire.log.spans()[0]?.outcome], [1, 'cancelled']);
      // The next turn can fail.
      wire.sends(started, error);
      assert.equal(errors(), 1);
    }
  });

  it('count the tokens of a model call once, although it has several lines and only the last one is complete', () => {
    const usage = (output_tokens: number): object => ({ usage: { input_tokens: 10, output_tokens } });
    const parts = [answer('m1', null, [text('One')], usage(1)), answer('m1', 'end_turn', [text('Two')], usage(60))];
    const wire = savedWire(user('Look'), ...parts).quiet();
    assert.deepEqual(wire.records.at(-1)?.data, { usage: { inputTokens: 10, outputTokens: 60 } });
  });

  it('report a turn as without an end only if it has none, not if one of its tools has none', () => {
    const notices = (...lines: object[]): string[] =>
      savedWire(user('Look'), ...lines, user('And now?')).lines.filter((one) => one.startsWith('notice'));
    const called = answer('m1', 'tool_use', [call]);
    const unended = 'notice activity turn: the previous turn has no end; it stopped while Bash: ls ran';
    assert.deepEqual(notices(called), [unended]);
    assert.deepEqual(notices(called, answer('m2', 'end_turn', [text('Done.')])), []);
  });

  it('name a tool result by its call, or by its ID if the call is missing', () => {
    const result = (id: string): object => user([{ type: 'tool_result', tool_use_id: id, content: 'ok' }]);
    const { lines } = savedWire(answer('m1', null, [call]), ...['t1', 't1', 't2'].map(result));
    const tools = lines.flatMap((one) => /tool: (.*) \(completed.*: ok$/.exec(one)?.[1] ?? []);
    assert.deepEqual(tools, ['Bash: ls', 'Bash: ls', 't2']);
  });

  it('link subagents to their parent', () => {
    const { log } = savedWire({ ...user('Look'), isSidechain: true, agentId: 'a1' });
    const sessions = log.sessions.map(({ id, parent }) => `${id} of ${parent}`);
    assert.deepEqual(sessions, [`${sessionId}/a1 of ${sessionId}`]);
  });
});
