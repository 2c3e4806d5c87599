import assert from 'node:assert/strict';
import { millisecondsFor } from '../../../../support/doubling';
import { readSavedLines } from '../../../../support/savedRun';
import { jsonOf, pi, qwen, copilot, at } from '../../../../support/agentLines';

/** Lines of a session in which a tool's output is this text. */
const sessions: Readonly<Record<string, (output: string) => readonly object[]>> = {
  pi: (text) => [pi.header, pi.line(1, { role: 'toolResult', toolCallId: 'c', content: [{ type: 'text', text }] })],
  qwen: (output) => {
    const functionResponse = { id: 'c', response: { output } };
    return [qwen.line(1, { type: 'tool_result', message: { parts: [{ functionResponse }] } })];
  },
  gemini: (output) => {
    const result = [{ functionResponse: { response: { output } } }];
    const toolCalls = [{ id: 'c', name: 'shell', status: 'success', result }];
    const message = { id: 'm1', timestamp: at(1), type: 'gemini', content: '', toolCalls };
    return [{ sessionId: 's', projectHash: 'h', startTime: at(0) }, message];
  },
  copilot: (content) => [copilot.event(1, 'tool.execution_complete', { toolCallId: 'c', result: { content } })],
};

const texts: Readonly<Record<string, string>> = {
  spaces: `${' '.repeat(200_000)}x`,
  'endings of commands': '\nExit Code: 1'.repeat(20_000) + 'x',
  'results of shells': `Command: ${'\nOutput: \nError: '.repeat(10_000)}x`,
  'results with spaces': `Command: x\nOutput: ${'\nError: x\nExit Code: '.repeat(8000)}x`,
  'ends of shells': `${'<shellId: x completed with exit code 1> '.repeat(5000)}x`,
};

describe('a tool output in a saved session that is made to match badly', () => {
  for (const [agent, linesOf] of Object.entries(sessions)) {
    for (const [name, text] of Object.entries(texts)) {
      it(`takes no time that grows faster than it: ${agent}, ${name}`, () => {
        const lines = jsonOf(linesOf(text));
        assert.ok(millisecondsFor((all) => assert.ok(readSavedLines(all).store.query().length > 0), lines) < 2000);
      });
    }
  }
});
