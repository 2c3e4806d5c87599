import assert from 'node:assert/strict';
import type { LogRecord } from '../../../src/text/record';
import { HumanError } from '../../../src/text/humanError';
import { McpHttpServer } from '../../support/mcpHttpServer';
import { ended, start, TestRuns } from '../../support/testRun';

describe('the problem of an MCP server over HTTP', () => {
  const runs = TestRuns.ofSuite();

  async function failing(url: string): Promise<{ readonly notified: string; readonly problems: readonly LogRecord[] }> {
    const run = runs.createRemote(url);
    const error: unknown = await start(run).then(
      () => undefined,
      (failed: unknown) => failed,
    );
    await ended(run);
    assert.ok(error instanceof HumanError);
    return { notified: error.message, problems: run.log.store.query({ kinds: ['diagnosis'] }) };
  }

  for (const status of [400, 401, 403, 404, 500]) {
    it(`has the words of its notification: HTTP ${status}`, async () => {
      const server = await McpHttpServer.start({ statuses: Array<number>(6).fill(status) });
      const { notified, problems } = await failing(server.url);
      assert.deepEqual(
        problems.map(({ level, message }) => [level, message]),
        [['error', notified]],
      );
      await server.close();
    });
  }

  it('has the words of its notification: connection refused', async () => {
    const server = await McpHttpServer.start();
    const { url } = server;
    await server.close();
    const { notified, problems } = await failing(url);
    assert.match(notified, /^No response from \S+: the connection was refused\. Check that the server runs/);
    assert.deepEqual(
      problems.map(({ level, message }) => [level, message]),
      [['error', notified]],
    );
  });
});
