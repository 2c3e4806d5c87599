import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('The extension', () => {
  it('is installed and activates', async () => {
    const extension = vscode.extensions.getExtension('agent-logs.agent-logs');
    assert.ok(extension, 'it is not installed');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });
});
