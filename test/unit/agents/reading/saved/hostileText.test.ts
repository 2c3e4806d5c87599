import assert from 'node:assert/strict';
import { readSavedLines } from '../../../../support/savedRun';
import { millisecondsFor } from '../../../../support/doubling';

const sessionId = '5f6c7d8e-0000-4000-8000-000000000001';
const timestamp = '2026-11-20T10:00:00.000Z';
const spaces = ' '.repeat(200_000);

/** Lines of a session in which a tool's output is this text. */
const sessions: Readonly<Record<string, (output: string) => readonly object[]>> = {
  pi: (output) => [
    { type: 'session', id: sessionId, cwd: '/p', timestamp },
    {
      type: 'message',
      id: 'm1',
      parentId: null,
      timestamp,
      message: { role: 'toolResult', toolCallId: 'c', content: [{ type: 'text', text: output }] },
    },
  ],
  qwen: (output) => [
    {
      sessionId,
      uuid: 'u1',
      timestamp,
      type: 'tool_result',
      provenance: 'x',
      message: { parts: [{ functionResponse: { id: 'c', response: { output } } }] },
    },
  ],
  gemini: (output) => [
    { sessionId, projectHash: 'h', startTime: timestamp },
    {
      id: 'm1',
      timestamp,
      type: 'gemini',
      content: '',
      toolCalls: [
        { id: 'c', name: 'shell', status: 'success', result: [{ functionResponse: { response: { output } } }] },
      ],
    },
  ],
  copilot: (output) => [
    {
      type: 'tool.execution_complete',
      id: 'e',
      parentId: null,
      timestamp,
      data: { toolCallId: 'c', result: { content: output } },
    },
  ],
};

const texts: Readonly<Record<string, string>> = {
  spaces: `${spaces}x`,
  'endings of commands': '\nExit Code: 1'.repeat(20_000) + 'x',
  'results of shells': `Command: ${'\nOutput: \nError: '.repeat(10_000)}x`,
  'results with spaces': `Command: x\nOutput: ${'\nError: x\nExit Code: '.repeat(8000)}x`,
  'ends of shells': `${'<shellId: x completed with exit code 1> '.repeat(5000)}x`,
};

describe('a tool output in a saved session that is made to match badly', () => {
  for (const [agent, linesOf] of Object.entries(sessions)) {
    for (const [name, text] of Object.entries(texts)) {
      it(`takes no time that grows faster than it: ${agent}, ${name}`, () => {
        const lines = linesOf(text).map((line) => JSON.stringify(line));
        assert.ok(millisecondsFor((all) => assert.ok(readSavedLines(all).store.query().length > 0), lines) < 2000);
      });
    }
  }
});
