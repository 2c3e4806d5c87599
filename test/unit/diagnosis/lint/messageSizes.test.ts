import assert from 'node:assert/strict';
import { DiagnosedWire } from '../../../support/diagnosedWire';

const initialize = { protocolVersion: '2025-11-25', capabilities: {} };

describe('diagnosis: what makes official clients hang up', () => {
  it('names the size of an MCP message over 10 MiB', () => {
    const wire = new DiagnosedWire('mcp').ask('initialize', initialize, {
      ...initialize,
      serverInfo: { name: 's', version: '1' },
    });
    const picture = { content: [{ type: 'text', text: 'x'.repeat(11_000_000) }] };
    wire.ask('tools/call', { name: 'screenshot' }, picture);
    assert.match(
      wire.said.join('\n'),
      /^warning .*oversize-message: Message of 11 MB: official clients read at most 10 MiB/m,
    );
    assert.ok(!wire.said.join('\n').includes('JSON'));
  });

  it('reports progress that nobody asked for or that comes after the answer, once', () => {
    const wire = new DiagnosedWire('mcp').ask('initialize', initialize, {
      ...initialize,
      serverInfo: { name: 's', version: '1' },
    });
    const report = (progressToken: string): void =>
      void wire.says({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    wire.ask('tools/call', { name: 'index', _meta: { progressToken: 'a' } });
    report('a');
    assert.deepEqual(wire.said, []);
    wire.answer({ content: [] });
    report('a');
    report('job-77');
    report('job-77');
    const said = wire.said.join('\n');
    assert.match(said, /^notice .*protocol-violation: Progress for the token "a" after the answer/m);
    assert.match(
      said,
      /^notice .*protocol-violation: Progress for the token "job-77", which no request of the client has/m,
    );
    assert.equal(wire.said.length, 2);
  });
});
