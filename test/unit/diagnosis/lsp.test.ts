import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';

describe('diagnosis: LSP', () => {
  it('ignores outdated requests, and does not report a program as missing if an editor command is unknown', () => {
    const wire = new DiagnosedWire('lsp').ask('textDocument/semanticTokens/full', {}).refuse(-32801, 'modified');
    wire.ask('textDocument/diagnostic', {}).refuse(-32802, 'server cancelled the request');
    assert.equal(wire.said.length, 0);
    wire.ask('workspace/executeCommand', {}).refuse(-32603, "command 'x' not found");
    assert.match(wire.said[0] ?? '', /^warning \[\] failed-request: .*not found \(-32603\)\.$/);
  });

  it("gives advice for LSP's framing", () => {
    const wire = new DiagnosedWire('lsp').says({ method: '_hello' }).stdout('listening').stdout('{"jsonrpc":"2.0",');
    for (const said of wire.said) assert.match(said, /needs a header with its exact length in bytes/);
    assert.equal(wire.said.length, 2);
    const missing = new DiagnosedWire('mcp').ask('tools/call', { name: 'log' }).refuse(-32603, 'spawn git ENOENT');
    assert.match(missing.said[0] ?? '', /^warning \[\] missing-executable: .*add its folder to the agent's PATH/);
  });
});
