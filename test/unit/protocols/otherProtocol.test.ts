import assert from 'node:assert/strict';
import { otherProtocol } from '../../../src/protocols/otherProtocol';
import { DiagnosedWire } from '../../support/diagnosedWire';

describe('otherProtocol', () => {
  const mcp = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '1' } };

  it('recognizes the protocol by the fields of the result', () => {
    const acp = { protocolVersion: 1, agentCapabilities: {} };
    const lsp = { capabilities: { hoverProvider: true }, serverInfo: { name: 'x' } };
    const results = { acp, mcp, lsp } as const;
    for (const spoken of ['acp', 'mcp', 'lsp'] as const) {
      for (const is of ['acp', 'mcp', 'lsp'] as const) {
        assert.equal(otherProtocol(spoken, { result: results[is] }), spoken === is ? undefined : is);
      }
      for (const result of [null, 1, [], {}, { protocolVersion: 'one' }, { capabilities: {} }, { capabilities: [1] }]) {
        assert.equal(otherProtocol(spoken, { result }), undefined);
      }
    }
  });

  it('recognizes the protocol by the error', () => {
    const own = [
      'params.protocolVersion: Invalid input: expected string, received number',
      'Invalid params: protocolVersion: Expected string, received number',
      'json: cannot unmarshal number into Go struct field initializeParams.protocolVersion of type string',
      '1 validation error for InitializeRequest params.protocolVersion Input should be a valid string',
      'missing field `capabilities`',
    ];
    const acp = [
      'Invalid params: protocolVersion: Invalid input: expected number, received string',
      'json: cannot unmarshal string into Go struct field InitializeRequest.protocolVersion of type int',
      'protocol_version must be an integer',
    ];
    for (const error of own) assert.equal(otherProtocol('acp', { error }), 'mcp', error);
    for (const error of acp) assert.equal(otherProtocol('mcp', { error }), 'acp', error);
    for (const error of [...acp, 'Internal error', 'unsupported protocolVersion 1', '']) {
      assert.equal(otherProtocol('acp', { error }) ?? 'acp', 'acp', error);
    }
  });

  it('replaces all other diagnoses', () => {
    const path = ['params', 'protocolVersion'];
    const issues = JSON.stringify([{ path, message: 'Invalid input: expected string, received number' }]);
    const refused = new DiagnosedWire().ask('initialize', { protocolVersion: 1 }).refuse(-32603, issues);
    const answered = new DiagnosedWire().ask('initialize', { protocolVersion: 1 }, mcp);
    const advice = '`initialize` was answered by an MCP server. Set "protocol": "mcp" in agentLogs.agents.';
    for (const wire of [refused, answered]) {
      const said = wire.said.filter((text) => !text.includes('protocol-violation'));
      assert.equal(said[0], `error [] version-not-spoken: ${advice}`);
      assert.deepEqual(wire.about('failed-request'), []);
    }
  });
});

describe('a command that prints nothing', () => {
  const exit = (code: number) => ({ ev: 'exit', code, signal: null }) as const;
  const spawned = (): DiagnosedWire =>
    new DiagnosedWire('stream-json').process({ ev: 'spawn', pid: 1, command: ['agent'], cwd: '/' });

  it('is reported even if it exits with code 0', () => {
    const [said = ''] = spawned().process(exit(0)).said;
    assert.match(said, /^warning \[\] agent-ended: The agent exited without any output/);
    assert.deepEqual(spawned().says({ type: 'system' }).process(exit(0)).said, []);
    assert.equal(spawned().process(exit(1)).said.length, 1);
    assert.deepEqual(spawned().process({ ev: 'stdin-close' }).process(exit(0)).said, []);
  });
});
