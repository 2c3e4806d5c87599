import assert from 'node:assert/strict';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { ToolProgress } from '../../../src/live/connection/agentClient';
import type { Run } from '../../../src/live/run';
import { Cancelled } from '../../../src/time/waiting';
import { officialServer } from '../../fakeAgents/lib/officialServer.mjs';
import { useHttpServers } from '../../support/httpServers';
import { linesOf, recordOf, TestRuns } from '../../support/testRun';
import type { WireNotes } from '../../support/wireNotes';
import { startNoting, textOf } from '../../support/wireNotes';

describe('the official MCP server library', () => {
  const runs = TestRuns.ofSuite();
  const serve = useHttpServers();

  /** Logs at the requested level, progress, and another level. */
  async function checkCalls(run: Run): Promise<void> {
    const steps: ToolProgress[] = [];
    const result = await run.callTool('work', {}, { onProgress: (step) => steps.push(step) });
    assert.equal(textOf(result), 'worked');
    assert.deepEqual(steps, [{ progress: 1, total: 2 }]);
    assert.equal(linesOf(run, 'log').length, 2);
    assert.equal(await run.setLevel('alert'), 'applied');
    await run.callTool('work', {});
    const levels = linesOf(run, 'log').map((line) => line.split(' ')[0]);
    assert.deepEqual(levels.slice(2), ['alert']);
  }

  async function checkCancel(run: Run, wire: WireNotes): Promise<void> {
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const call = run.callTool('hang', {}, { onProgress: () => begin() });
    await begun;
    const { id = '' } = await wire.until(() => wire.sent('tools/call')[3]); // after those of checkScreenshot and checkCalls
    await Promise.all([assert.rejects(call, Cancelled), run.cancel({ requestId: id })]);
    await wire.until(() => (run.log.requests.length === 0 ? true : undefined));
  }

  /** A 3 MiB image, which the log cuts. */
  async function checkScreenshot(run: Run, wire: WireNotes): Promise<void> {
    const { content } = await run.callTool('screenshot', {});
    assert.deepEqual(content, [{ type: 'image', data: 'iVBO'.repeat(768 * 1024), mimeType: 'image/png' }]);
    const logged = wire.events.filter((event) => event.dir === 'a2c' && (event.bytes ?? 0) > 3 * 1024 * 1024);
    assert.equal(logged.length, 1);
    assert.ok(JSON.stringify(logged).length < 20_000);
    assert.deepEqual(run.log.requests, []);
    assert.deepEqual(linesOf(run, 'diagnosis'), []);
  }

  /** Starts a run and checks everything that both transports have. */
  async function check(run: Run): Promise<void> {
    const { wire } = await startNoting(run);
    assert.equal(run.state.type === 'running' && run.state.agent['protocolVersion'], '2026-07-28');
    await checkScreenshot(run, wire);
    await checkCalls(run);
    await checkCancel(run, wire);
  }

  for (const args of [[], ['modern']]) {
    it(`over stdio${args.length > 0 ? ', of 2026-07-28 only' : ''}`, async () => {
      const run = runs.create('mcp-official', { args, level: 'warning' });
      await check(run);
      await recordOf(run, ({ kind, message }) => kind === 'stderr' && message === 'hung up');
      assert.equal((await run.stop()).reason, 'completed');
    });
  }

  for (const legacy of ['stateless', 'reject'] as const) {
    it(`over HTTP${legacy === 'reject' ? ', of 2026-07-28 only' : ''}`, async () => {
      const handle = toNodeHandler(createMcpHandler(officialServer, { legacy }));
      const url = await serve((request, response) => void handle(request as never, response));
      const run = runs.createRemote(url, { level: 'warning' });
      await check(run);
      assert.equal((await run.stop()).reason, 'completed');
    });
  }
});
