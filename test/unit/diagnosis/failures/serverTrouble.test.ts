import assert from 'node:assert/strict';
import { readServerTrouble } from '../../../../src/diagnosis/failures/serverTrouble';

/** Words of agents, and the servers that they name. */
const troubles: readonly (readonly [string, string])[] = [
  [
    'MCP client for `playwright` timed out after 10 seconds. Add or adjust `startup_timeout_sec` in your config.toml',
    'playwright',
  ],
  ['MCP client for `unityMCP` failed to start: request timed out', 'unityMCP'],
  ['MCP startup incomplete (failed: playwright, context7)', 'playwright, context7'],
  ['mcp: linear failed: MCP client failed to start', 'linear'],
  ["Error connecting to MCP server 'docs': MCP error -32001: Request timed out", 'docs'],
  ["Error during discovery for MCP server 'docs': spawn docs-server ENOENT", 'docs'],
  ['[MCP error] failed to start or connect to MCP server \'docs\' {"command":"npx"}', 'docs'],
  ['MCP server "tracker" Connection timed out after 30000ms', 'tracker'],
  ['MCP server "tracker" Connection failed: spawn tracker ENOENT', 'tracker'],
  ['MCP server tracker failed to connect', 'tracker'],
  ['MCP server failed to start: tracker', 'tracker'],
  ['MCP servers failed to connect: docs, tracker', 'docs, tracker'],
  ['Failed to connect to MCP server docs: connection refused', 'docs'],
  ['Failed to initialize MCP server `docs` within 30s', 'docs'],
  ['Failed to start MCP client for remote server docs: connection closed', 'docs'],
  ['service=mcp key=docs error=Operation timed out after 30000ms local mcp startup failed', 'docs'],
  ['Starting MCP server docs has timed out', 'docs'],
];
const others: readonly string[] = [
  'MCP server "docs" connected in 812 ms',
  'MCP server "docs": Error calling tool search: connection closed',
  "MCP server 'docs' does not support prompts: Method not found",
  'MCP server "docs": connection closed, retrying (attempt 1/3)',
  'Starting 3 MCP servers, no failures expected',
  'the test "fails if the MCP server is not started" passed',
  'Failed to connect to the database of the MCP demo',
  'Connection to api.acme.test failed',
  'MCP server started; the log could not be rotated',
];

describe('serverTrouble', () => {
  for (const [text, servers] of troubles) {
    it(`reads ${servers} in: ${text.slice(0, 60)}`, () => {
      assert.equal(readServerTrouble({ message: text, text })?.servers.join(', '), servers);
    });
  }

  it('ignores servers that work, calls that fail, and other connections', () => {
    const wrong = others.filter((text) => readServerTrouble({ message: text, text }));
    assert.deepEqual(wrong, []);
  });

  it('ignores lines below warning', () => {
    const text = 'MCP server "docs" failed to start';
    assert.equal(readServerTrouble({ level: 'info', message: text, text }), undefined);
  });
});
