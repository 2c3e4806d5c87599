import assert from 'node:assert/strict';
import { acceptable } from '../../../../src/live/mcp/mcpAnswers';

describe('MCP responses for the library', () => {
  it('keep what the library uses', () => {
    const inputSchema = { $schema: 'x', type: 'object', properties: { a: { 'x-mcp-header': 'A' } }, required: ['a'] };
    const tool = { name: 'a', title: 'A', description: 'Does a.', inputSchema };
    const list = { resultType: 'complete', ttlMs: 5, cacheScope: 'public', tools: [tool], nextCursor: 'more' };
    assert.deepEqual(acceptable('tools/list', list), list);
    const capabilities = { tools: { listChanged: true }, logging: {}, experimental: { a: { b: [1] } } };
    const serverInfo = { name: 'x', version: '1', title: 'X' };
    const greeting = { protocolVersion: '2025-11-25', capabilities, serverInfo, instructions: 'Be kind.' };
    assert.deepEqual(acceptable('initialize', greeting), greeting);
    const inputRequests = { a: { method: 'roots/list' } };
    const question = { resultType: 'input_required', inputRequests, requestState: 'x' };
    assert.equal(acceptable('tools/call', question), question);
  });

  it('are corrected if invalid', () => {
    for (const odd of [null, 1, 'x', [], {}, [null]]) {
      const given = { tools: [{ name: 'a', inputSchema: odd, title: odd }, odd], nextCursor: odd };
      const { tools } = acceptable('tools/list', given);
      const title = typeof odd === 'string' ? { title: odd } : {};
      assert.deepEqual(tools, [{ name: 'a', ...title, inputSchema: { type: 'object' } }]);
      const { capabilities, serverInfo } = acceptable('initialize', { capabilities: { tools: odd }, serverInfo: odd });
      const isObject = odd !== null && typeof odd === 'object' && !Array.isArray(odd);
      assert.deepEqual(capabilities, isObject ? { tools: {} } : {});
      assert.deepEqual(serverInfo, { name: '', version: '' });
    }
  });

  it("are unchanged if they aren't responses", () => {
    const odd = { capabilities: null };
    assert.equal(acceptable('server/discover', odd), odd);
    const none = { tools: 'none' };
    assert.equal(acceptable('tools/list', none), none);
  });
});
