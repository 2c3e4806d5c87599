import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import type { Run } from '../../../src/live/run';
import { startNoting, textOf, WireNotes } from '../../support/wireNotes';
import { human, linesOf, start, TestRuns } from '../../support/testRun';

describe('MCP protocol versions', () => {
  const runs = TestRuns.ofSuite();

  const logLevel = 'io.modelcontextprotocol/logLevel';
  /** A program that isn't a server. */
  const running = (script: string): { spec: { args: string[] } } => ({ spec: { args: ['-e', script] } });

  function versionOf({ state }: Run): unknown {
    return state.type === 'running' && state.agent['protocolVersion'];
  }

  async function metaOf(run: Run): Promise<Record<string, unknown>> {
    return JSON.parse(textOf(await run.callTool('meta', {}))) as Record<string, unknown>;
  }

  it('2026-07-28: sends the level with every request', async () => {
    const { run, wire } = await startNoting(runs.create('mcp-modern', { level: 'notice' }));
    assert.deepEqual([wire.methods, versionOf(run)], [['server/discover'], '2026-07-28']);
    assert.equal((await metaOf(run))[logLevel], 'notice');
    assert.equal(await run.setLevel('alert'), 'applied');
    await run.callTool('work', {});
    assert.equal(linesOf(run, 'log').length, 2);
    await run.listTools();
    assert.equal((wire.sent('tools/list')[0]?.params?.['_meta'] as Record<string, unknown>)[logLevel], 'alert');
    await run.setLevel('off');
    assert.equal((await metaOf(run))[logLevel], undefined);
    assert.deepEqual(wire.sent('logging/setLevel'), []);
  });

  it('2026-07-28: waits for a server that is slow to start', async () => {
    const slow = runs.create('mcp-modern', { args: ['300'], mcp: { probeTimeout: 100 } });
    const { run, wire } = await startNoting(slow);
    assert.deepEqual(wire.methods.slice(0, 3), ['server/discover', 'initialize', 'server/discover']);
    assert.equal(versionOf(run), '2026-07-28');
  });

  it("falls back if a server doesn't answer the newer handshake", async () => {
    const run = await runs.start('mcp-deafToProbe', { mcp: { probeTimeout: 100 } });
    assert.equal(versionOf(run), '2025-11-25');
  });

  for (const code of ['1', '0']) {
    it(`restarts a server that refuses the newer handshake and exits with code ${code}, with the older one`, async () => {
      const args = [resolve('test/fakeAgents/mcp-diesOfProbe.mjs'), code];
      const { run, wire } = await startNoting(runs.create('mcp-diesOfProbe', { spec: { args } }));
      assert.deepEqual(wire.processEvents, ['spawn', 'exit', 'spawn']);
      assert.equal(textOf(await run.callTool('echo', {})), '{}');
      const { terminatedBy, exitCode } = await run.stop();
      assert.deepEqual([terminatedBy, exitCode], ['client', 0]);
    });
  }

  it('starts a server only once if it exits for another reason, and reports that once', async () => {
    const ends = [
      'console.error("Error: None of the folders can be read"); process.exit(1)',
      'console.error("Unknown transport: stdo"); console.log("Usage: server [stdio|sse]"); process.exit(1)',
      'console.error("sh: 1: my-server: not found"); process.exit(127)',
      // It may have done its work, which another start would repeat.
      'process.exit(0)',
      'console.log("Backup written."); process.exit(0)',
    ];
    for (const script of ends) {
      const run = runs.create('mcp-server', running(script));
      const wire = new WireNotes(run);
      await assert.rejects(start(run), human(/^mcp-server exited with code \d+ before/));
      const events = wire.processEvents.filter((event) => event === 'spawn' || event === 'exit');
      assert.deepEqual(events, ['spawn', 'exit'], script);
    }
  });

  it('stops a program that never answers, and names the expected protocol', async () => {
    const options = { limits: { initializeTimeout: 200 }, ...running('process.stdin.resume()') };
    const run = runs.create('mcp-server', options);
    const wire = new WireNotes(run);
    const started = start(run);
    started.catch(() => undefined);
    const { id = '' } = await wire.untilSent('server/discover');
    await assert.rejects(run.cancel({ requestId: id }), human(/is still starting\. Wait until it runs, or stop it\.$/));
    await assert.rejects(started, human(/didn't answer `initialize` within 200 ms.*Model Context Protocol/));
    assert.equal(run.state.type, 'ended');
  });
});
