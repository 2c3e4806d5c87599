import assert from 'node:assert/strict';
import { SessionReplay } from '../../../../src/agents/vscode/sessionReplay';

describe("an open turn of VS Code's chat", () => {
  it('shows what it has answered so far, in whole sentences', () => {
    const replay = new SessionReplay();
    const shown = (value: string): unknown[] => {
      replay.apply({ kind: 2, k: ['requests', 0, 'response'], v: [{ value }], i: 0 }, 0);
      return [...replay.lines(true)].flatMap(({ line }) => (line['type'] === 'vscode.answer' ? [line['text']] : []));
    };
    const request = { requestId: 'r', message: 'Why?', timestamp: 1, modelState: { value: 0 }, response: [] };
    replay.apply({ kind: 0, v: { sessionId: 's', requests: [request] } }, 0);
    assert.deepEqual(shown('Its key is sk-ab'), []);
    assert.deepEqual(shown('Its key is sk-abcdef. Use'), ['Its key is sk-abcdef.']);
    assert.deepEqual(shown('Its key is sk-abcdef. Use it\nwell'), ['Its key is sk-abcdef. Use it\n']);
    replay.apply({ kind: 1, k: ['requests', 0, 'modelState'], v: { value: 1, completedAt: 2 } }, 0);
    assert.deepEqual(shown('Its key is sk-abcdef. Use it\nwell'), ['Its key is sk-abcdef. Use it\nwell']);
  });
});
