import assert from 'node:assert/strict';
import type { StreamWire } from '../../../support/streamWire';
import { streamed, savedWire } from '../../../support/streamWire';

const sessionId = '5f6c7d8e-0000-4000-8000-000000000001';
const found = [{ type: 'web_search_result', title: 'Docs' }];
const failed = [{ type: 'text', text: 'Error: Exit code 3\nno tests' }];
/** Messages, and the records of each. */
const messages = [
  [
    'assistant',
    [
      { type: 'text', text: 'Looking' },
      { type: 'thinking', thinking: '', signature: 'x' },
      { type: 'redacted_thinking', data: 'x' },
      { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'mocha' } },
      { type: 'web_search_tool_result', tool_use_id: 's1', content: found },
      { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'npm test' } },
      { type: 'container_upload', file_id: 'f1' },
    ],
    [
      'info activity agent: Looking',
      'debug activity thought: (not shown by the model)',
      'info activity tool: web_search: mocha',
      'info activity tool: web_search: mocha (completed): (web_search_result)',
      'info activity tool: Bash: npm test',
      'info activity container_upload: {"type":"container_upload","file_id":"f1"}',
    ],
  ],
  [
    'user',
    [
      { type: 'tool_result', tool_use_id: 't1', is_error: true, content: failed },
      { type: 'image', source: {} },
    ],
    ['notice activity tool: Bash: npm test (failed, exit 3): no tests', 'info activity prompt: (image)'],
  ],
  ['user', Array(203).fill({ type: 'image' }), ['notice activity session: 3 more blocks of the same message']],
] as const;

describe("the blocks of Claude Code's messages", () => {
  const kinds = {
    'a stream': (): StreamWire => streamed({ type: 'system', subtype: 'init', session_id: sessionId }),
    'a saved session': (): StreamWire => savedWire(),
  };
  for (const [kind, wireOf] of Object.entries(kinds)) {
    it(`are read from ${kind}`, () => {
      const wire = wireOf();
      for (const [type, content, expected] of messages) {
        const before = wire.lines.length;
        const message = { role: type, id: 'm1', content };
        const about = { parentUuid: null, sessionId, session_id: sessionId, timestamp: '2026-11-20T10:00:00Z' };
        wire.send({ ...about, type, message });
        const lines = wire.lines.slice(before).map((line) => line.replace(/, in [^)]*\)/, ')'));
        assert.deepEqual(lines.slice(-expected.length), expected);
      }
    });
  }
});
