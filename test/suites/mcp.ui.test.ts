import * as assert from 'node:assert/strict';
import type { Run } from '../../api/agent-logs';
import { ExplorerPage } from './explorerPage';
import { agentLogs, fake, inWindow, recordOf } from './support';
import { poll } from './waiting';

describe('In the window: an MCP server', () => {
  const workbench = inWindow({ Server: { ...fake('mcp-form'), protocol: 'mcp' } });
  let run: Run;

  before(async () => void (run = await (await agentLogs()).start('Server')));

  it('answers a call that is chosen in the palette, and opens the explorer there', async () => {
    assert.equal(run.protocol, 'mcp');
    await workbench.runCommand('Agent Logs: Call Tool…');
    await workbench.pick('work');
    await recordOf(run, ({ message }) => message === 'said at emergency');
    const page = await new ExplorerPage(workbench).ready();
    await page.activeRowUntil((row) => /work: done/.test(row));
    await page.details.waitFor();
  });

  it("asks for a tool's arguments by its schema, and shows the progress of the call", async () => {
    await workbench.runCommand('Agent Logs: Call Tool…');
    await workbench.pick('copy');
    await workbench.answer('copy: files', 'many');
    await workbench.screenshot('mcp-2-argument');
    await workbench.answer('copy: files', '5');
    await workbench.pick('mode');
    await workbench.pick('careful');
    await workbench.screenshot('mcp-3-arguments');
    await workbench.pick('Call');
    const request = await poll(() => run.requests.find(({ method }) => method === 'tools/call')).until(
      (open) => open?.progress !== undefined,
    );
    assert.deepEqual(request?.progress, { progress: 2, total: 3, message: 'copied 2 of 5 files' });
    await workbench.expandTreeRow('Connection');
    const progress = '67 % · copied 2 of 5 files';
    await workbench.row(({ label, description }) => label === 'tools/call' && description.startsWith(progress));
    await workbench.screenshot('mcp-4-progress');
  });

  it('asks the user, whose answers begin with the defaults', async () => {
    const properties = { city: { type: 'string', default: 'Ulm' }, days: { type: 'integer', default: 3 } };
    const params = { message: 'Which forecast?', requestedSchema: { type: 'object', properties } };
    const call = run.callTool('ask', { method: 'elicitation/create', params });
    await workbench.offered('Decline');
    await workbench.screenshot('mcp-6-question');
    await workbench.pickInQuestion('Answer…');
    await workbench.pick('days');
    await workbench.answer('Server: days', '5');
    await workbench.screenshot('mcp-7-answers');
    await workbench.pick('Submit');
    assert.match(JSON.stringify(await call), /Ulm.*5/);
  });

  it("shows a cancelled call at once, even if the server doesn't respond", async () => {
    const before = Date.now();
    await workbench.clickTreeAction('tools/call', 'Cancel Request');
    await poll(() => run.requests.length).until((open) => open === 0);
    assert.ok(Date.now() - before < 15_000);
    await recordOf(run, ({ message }) => message.includes('cancelled'));
    await workbench.screenshot('mcp-5-cancelled');
  });
});
