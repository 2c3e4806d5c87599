import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../../support/diagnosedWire';

function initialized(): DiagnosedWire {
  const initialize = { protocolVersion: '2025-11-25', capabilities: {} };
  const result = { ...initialize, serverInfo: { name: 's', version: '1' } };
  return new DiagnosedWire('mcp').ask('initialize', initialize, result);
}

describe('diagnosis: what makes official clients hang up', () => {
  it('reports progress that nobody asked for or that comes after the answer, once', () => {
    const wire = initialized();
    const report = (progressToken: string): void =>
      void wire.says({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    wire.ask('tools/call', { name: 'index', _meta: { progressToken: 'a' } });
    report('a');
    assert.deepEqual(wire.said, []);
    wire.answer({ content: [] });
    report('a');
    report('job-77');
    report('job-77');
    const [late = '', unasked = '', ...others] = wire.said;
    assert.match(late, /^notice .*protocol-violation: Progress for the token "a" after the answer/);
    assert.match(
      unasked,
      /^notice .*protocol-violation: Progress for the token "job-77", which no request of the client/,
    );
    assert.deepEqual(others, []);
  });
});
