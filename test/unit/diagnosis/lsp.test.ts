import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../support/diagnosedWire';

describe('diagnosis: LSP', () => {
  it('ignores outdated requests, and does not report a program as missing if an editor command is unknown', () => {
    const wire = new DiagnosedWire('lsp').ask('textDocument/semanticTokens/full', {}).refuse(-32801, 'modified');
    wire.ask('textDocument/diagnostic', {}).refuse(-32802, 'server cancelled the request');
    assert.equal(wire.said.length, 0);
    wire.ask('workspace/executeCommand', {}).refuse(-32603, "command 'x' not found");
    assert.match(wire.first, /^warning \[\] failed-request: .*not found \(-32603\)\.$/);
  });

  it("gives advice for LSP's framing", () => {
    const wire = new DiagnosedWire('lsp').says({ method: '_hello' }).stdout('listening').stdout('{"jsonrpc":"2.0",');
    assert.match(wire.first, /^error \[\] stdout-junk: .*vscode-jsonrpc, such as VS Code, read nothing/);
    const [, cut = '', ...others] = wire.said;
    assert.match(cut, /^warning \[\] malformed-message: .*needs a header with its exact length in bytes/);
    assert.deepEqual(others, []);
    const missing = new DiagnosedWire('mcp').ask('tools/call', { name: 'log' }).refuse(-32603, 'spawn git ENOENT');
    assert.match(missing.first, /^warning \[\] missing-executable: .*add its folder to the PATH/);
  });

  it('calls a server initialized only if nothing on stdout keeps clients from reading its answer', () => {
    const said = (wire: DiagnosedWire): string => {
      const { log } = wire.ask('initialize', {}, { capabilities: {} });
      return log.store.query({ kinds: ['lifecycle'] }).at(-1)?.message ?? '';
    };
    const spawn = { ev: 'spawn', pid: 1, command: ['ls'], cwd: '/' } as const;
    assert.match(said(new DiagnosedWire('lsp')), /^initialized in/);
    const loud = new DiagnosedWire('lsp').process(spawn).stdout('Loading...');
    assert.match(said(loud), /^answered initialize in/);
    loud.exit(1).process(spawn);
    assert.match(said(loud), /^initialized in/);
  });
});
