import assert from 'node:assert/strict';
import { SavedInterpreter } from '../../../../../src/agents/reading/saved/savedInterpreter';
import { StreamJsonInterpreter } from '../../../../../src/agents/reading/streams/streamJsonInterpreter';
import { StreamWire } from '../../../../support/streamWire';

const at = '2026-11-28T10:00:00.000Z';

function saved(...lines: readonly object[]): StreamWire {
  const wire = new StreamWire((context) => new SavedInterpreter(context));
  for (const line of lines) wire.line(JSON.stringify(line));
  return wire;
}

function streamed(...lines: readonly object[]): StreamWire {
  const wire = new StreamWire((context) => new StreamJsonInterpreter(context));
  for (const line of lines) wire.line(JSON.stringify(line));
  return wire;
}

const codex = (payload: object): object => ({ timestamp: at, ordinal: 1, type: 'event_msg', payload });
const item = (fields: object): object => codex({ type: 'item_completed', item: { id: 'i1', ...fields } });
const header = { timestamp: at, ordinal: 0, type: 'session_meta', payload: { id: 't1', cwd: '/home/dev' } };

describe("what agents' records say besides", () => {
  it('Codex: the result of an MCP tool, failed or not', () => {
    const call = { type: 'McpToolCall', server: 'shop', tool: 'find' };
    const content = [{ type: 'text', text: 'The database is locked.' }];
    const { log, lines } = saved(
      header,
      codex({ type: 'task_started' }),
      item({ ...call, status: 'failed', result: { content, isError: true } }),
      item({ ...call, id: 'i2', status: 'completed', result: { content: [{ type: 'text', text: '2 found' }] } }),
    );
    assert.ok(
      lines.some((line) => /shop\.find \(failed.*The database is locked\./.test(line)),
      lines.join('\n'),
    );
    assert.ok(
      lines.some((line) => /shop\.find.*2 found/.test(line)),
      lines.join('\n'),
    );
    assert.equal(log.spans({ kinds: ['tool'] }).filter(({ outcome }) => outcome === 'error').length, 1);
  });

  it('Codex: an image that was looked at', () => {
    const { lines } = saved(
      header,
      codex({ type: 'task_started' }),
      item({ type: 'ImageView', path: '/home/dev/dot.png' }),
    );
    assert.ok(lines.some((line) => line.includes('view /home/dev/dot.png')));
    assert.ok(!lines.some((line) => line.includes('unknown')));
  });

  it('Codex: subagents in the stream, and why they failed', () => {
    const call = (type: string, fields: object): object => ({
      type,
      item: { id: 'c1', type: 'collab_tool_call', tool: 'spawn_agent', sender_thread_id: 't1', ...fields },
    });
    const { log, lines } = streamed(
      { type: 'thread.started', thread_id: 't1' },
      { type: 'turn.started' },
      call('item.started', { prompt: 'Test it', receiver_thread_ids: [], agents_states: {}, status: 'in_progress' }),
      call('item.completed', {
        prompt: 'Test it',
        receiver_thread_ids: ['t2', 't3'],
        agents_states: { t2: { status: 'pending_init', message: null }, t3: { status: 'running' } },
        status: 'completed',
      }),
      call('item.completed', {
        id: 'c2',
        tool: 'wait',
        receiver_thread_ids: ['t2', 't3'],
        agents_states: { t2: { status: 'completed', message: 'All pass.' }, t3: { status: 'errored', message: '429' } },
        status: 'completed',
      }),
      { type: 'turn.completed', usage: { input_tokens: 1, output_tokens: 1 } },
    );
    assert.ok(!lines.some((line) => line.includes('{"')), lines.join('\n'));
    const subagents = log.spans({ kinds: ['subagent'] });
    assert.deepEqual(
      subagents.map(({ title, outcome }) => [title, outcome]),
      [
        ['Test it', 'ok'],
        ['Test it', 'error'],
      ],
    );
    assert.ok(lines.some((line) => /subagent: failed: 429/.test(line)));
  });

  it('Claude Code: a background command that was killed at the end', () => {
    const common = { sessionId: 's1', timestamp: at };
    const content =
      '<task-notification>\n<task-id>b</task-id>\n<status>killed</status>\n<summary>Background command "sleep 300" was stopped</summary>\n</task-notification>';
    const { lines } = saved(
      { ...common, parentUuid: null, uuid: 'u1', type: 'user', message: { role: 'user', content: 'Hi' } },
      {
        ...common,
        parentUuid: 'u1',
        uuid: 'a1',
        type: 'assistant',
        message: { id: 'm', role: 'assistant', content: [] },
      },
      { ...common, type: 'queue-operation', operation: 'enqueue', content },
    );
    assert.ok(lines.some((line) => /^notice .*task: killed: Background command "sleep 300" was stopped/.test(line)));
  });

  it('Gemini CLI: an error without its brackets', () => {
    const result = (message: string): readonly string[] =>
      streamed(
        { type: 'init', timestamp: at, session_id: 's1', model: 'gemini-2.5-flash' },
        { type: 'message', timestamp: at, role: 'user', content: 'Hi' },
        { type: 'result', timestamp: at, status: 'error', error: { type: 'unknown', message }, stats: {} },
      ).lines;
    for (const message of [
      '[API Error: {"error":{"code":401,"message":"mock 401","status":"UNAUTHENTICATED"}}]',
      '[API Error: mock 401]',
    ]) {
      const lines = result(message);
      assert.ok(lines.some((line) => line.includes('mock 401')));
      assert.ok(!lines.some((line) => line.includes('[API Error')), lines.join('\n'));
    }
  });
});
