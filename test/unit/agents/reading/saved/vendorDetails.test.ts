import assert from 'node:assert/strict';
import { savedWire, streamed } from '../../../../support/streamWire';

const at = '2026-11-28T10:00:00.000Z';
const codex = (payload: object): object => ({ timestamp: at, ordinal: 1, type: 'event_msg', payload });
const item = (fields: object): object => codex({ type: 'item_completed', item: { id: 'i1', ...fields } });
const begun = [
  { timestamp: at, ordinal: 0, type: 'session_meta', payload: { id: 't1', cwd: '/home/dev' } },
  codex({ type: 'task_started' }),
];

describe("what agents' records say besides", () => {
  it('Codex: the result of an MCP tool, failed or not', () => {
    const call = (fields: object, text: string): object =>
      item({
        ...{ type: 'McpToolCall', server: 'shop', tool: 'find' },
        ...fields,
        result: { content: [{ type: 'text', text }] },
      });
    const failed = call({ status: 'failed' }, 'The database is locked.');
    const { log, lines } = savedWire(...begun, failed, call({ id: 'i2', status: 'completed' }, '2 found'));
    assert.match(lines.join('\n'), /shop\.find \(failed.*The database is locked\./);
    assert.match(lines.join('\n'), /shop\.find.*2 found/);
    assert.equal(log.spans({ kinds: ['tool'] }).filter(({ outcome }) => outcome === 'error').length, 1);
  });

  it('Codex: an image that was looked at', () => {
    const said = savedWire(...begun, item({ type: 'ImageView', path: '/home/dev/dot.png' })).lines.join('\n');
    assert.match(said, /view \/home\/dev\/dot\.png/);
    assert.doesNotMatch(said, /unknown/);
  });

  it('Codex: subagents in the stream, and why they failed', () => {
    const call = (type: string, fields: object): object => ({
      type: `item.${type}`,
      item: { id: 'c1', type: 'collab_tool_call', tool: 'spawn_agent', sender_thread_id: 't1', ...fields },
    });
    const spawned = { t2: { status: 'pending_init', message: null }, t3: { status: 'running' } };
    const ended = { t2: { status: 'completed', message: 'All pass.' }, t3: { status: 'errored', message: '429' } };
    const both = { receiver_thread_ids: ['t2', 't3'], status: 'completed' };
    const { log, lines } = streamed(
      { type: 'thread.started', thread_id: 't1' },
      { type: 'turn.started' },
      call('started', { prompt: 'Test it', receiver_thread_ids: [], agents_states: {}, status: 'in_progress' }),
      call('completed', { ...both, prompt: 'Test it', agents_states: spawned }),
      call('completed', { ...both, id: 'c2', tool: 'wait', agents_states: ended }),
      { type: 'turn.completed', usage: { input_tokens: 1, output_tokens: 1 } },
    );
    assert.ok(!lines.some((line) => line.includes('{"')), lines.join('\n'));
    const subagents = log.spans({ kinds: ['subagent'] }).map(({ title, outcome }) => `${title}: ${outcome}`);
    assert.deepEqual(subagents, ['Test it: ok', 'Test it: error']);
    assert.match(lines.join('\n'), /subagent: failed: 429/);
  });

  it('Claude Code: a background command that was killed at the end', () => {
    const common = { sessionId: 's1', timestamp: at };
    const summary = 'Background command "sleep 300" was stopped';
    const content = `<task-notification>\n<task-id>b</task-id>\n<status>killed</status>\n<summary>${summary}</summary>\n</task-notification>`;
    const answer = { parentUuid: 'u1', uuid: 'a1', type: 'assistant' };
    const { lines } = savedWire(
      { ...common, parentUuid: null, uuid: 'u1', type: 'user', message: { role: 'user', content: 'Hi' } },
      { ...common, ...answer, message: { id: 'm', role: 'assistant', content: [] } },
      { ...common, type: 'queue-operation', operation: 'enqueue', content },
    );
    assert.ok(lines.some((line) => /^notice .*task: killed: Background command "sleep 300" was stopped/.test(line)));
  });

  it('Gemini CLI: an error without its brackets', () => {
    for (const message of [
      '[API Error: {"error":{"code":401,"message":"mock 401","status":"UNAUTHENTICATED"}}]',
      '[API Error: mock 401]',
    ]) {
      const { lines } = streamed(
        { type: 'init', timestamp: at, session_id: 's1', model: 'gemini-2.5-flash' },
        { type: 'message', timestamp: at, role: 'user', content: 'Hi' },
        { type: 'result', timestamp: at, status: 'error', error: { type: 'unknown', message }, stats: {} },
      );
      assert.match(lines.join('\n'), /mock 401/);
      assert.doesNotMatch(lines.join('\n'), /\[API Error/);
    }
  });
});
