import assert from 'node:assert/strict';
import type { ShownMessage } from '../../../../src/live/lsp/lspMessages';
import { LspMessages } from '../../../../src/live/lsp/lspMessages';
import { column } from '../../../support/columns';

describe('language server messages', () => {
  it("don't block later ones if they are never dismissed", async () => {
    const shown: ShownMessage[] = [];
    const messages = new LspMessages((message) => {
      shown.push(message);
      return message.actions.length > 0 ? Promise.resolve('Yes') : new Promise(() => undefined);
    });
    for (let n = 0; n < 3; n++) void messages.show({ type: 3, message: `${n}` });
    assert.equal(await messages.show({ type: 3, message: 'one too many' }), null);
    const yes = { title: 'Yes' };
    assert.deepEqual(await messages.show({ type: 3, message: 'Go on?', actions: [yes] }), yes);
    assert.deepEqual(column(shown, 'text'), ['0', '1', '2', 'Go on?']);
  });
});
