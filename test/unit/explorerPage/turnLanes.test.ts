import assert from 'node:assert/strict';
import { JoinedCalls } from '../../../src/runLog/joins/joinedCalls';
import type { PanelOptions } from '../../../src/ui/surfaces/explorer/explorerPanel';
import { ExplorerWindow, WrittenRun } from '../../support/explorerWindow';
import { agentEvents, serverEvents } from '../../support/joinedRuns';
import { describeWithEsbuild } from '../../support/platform';

describeWithEsbuild('explorer: lanes of MCP servers in Turns', () => {
  let page: ExplorerWindow;
  const opened: string[] = [];
  afterEach(() => page.close());

  async function open(of: 'agent' | 'server', meta?: object): Promise<void> {
    const agent = new WrittenRun(agentEvents(), { id: 'agent' });
    const server = new WrittenRun(serverEvents(meta), { id: 'server', name: 'books', protocol: 'mcp' });
    const joined = new JoinedCalls(() => [server.view, agent.view]);
    const run = of === 'agent' ? agent : server;
    opened.length = 0;
    const far: PanelOptions['far'] = {
      ends: () => joined.endsOf(run.view),
      open: ({ id }, { seq, tab }) => opened.push(`${id} ${tab} ${seq}`),
      onDidChange: () => ({ dispose: () => undefined }),
    };
    page = await ExplorerWindow.open(run, { tab: 'turns' }, { far });
    await page.until(() => page.rows.length === (of === 'agent' ? 7 : 2));
  }

  it('show the request, its progress, log messages and stderr below the call', async () => {
    await open('agent');
    const { rows } = page;
    assert.match(rows[3] ?? '', /MCP requestinferredbooks · find.*400 ms/);
    assert.match(rows[4] ?? '', /progress1 of 2: Reading the catalogue/);
    assert.match(rows[5] ?? '', /stderrcache miss/);
    assert.match(rows[6] ?? '', /logThe index is old/);
    const levels = page.all('[aria-level]').map((row) => row.getAttribute('aria-level'));
    assert.deepEqual(levels, ['1', '2', '3', '4', '5', '5', '5']);
  });

  it('aren’t marked as inferred if the request has the ID of the call', async () => {
    await open('agent', { 'claudecode/toolUseId': 'call-1' });
    assert.match(page.rows[3] ?? '', /MCP requestbooks · find/);
  });

  it('have both ends in the details, and what was lost between them', async () => {
    await open('agent');
    await page.key('Home');
    for (let row = 0; row < 2; row++) await page.key('ArrowDown');
    await page.until(() => page.activeRow.includes('mcp__books__find'));
    await page.until(() => page.find('.both-ends'));
    const [agent = '', server = ''] = page.texts('.both-ends .pair > div');
    const called = /^Agent: Bookshop Agent.*Namemcp__books__find.*Arguments.*"Momo".*Result · 4 characters.*Momo$/s;
    assert.match(agent, called);
    const served = /^MCP server: books.*Methodtools\/call.*Namefind.*"Momo".*Result · 10 characters.*Momo, 1973$/s;
    assert.match(server, served);
    assert.deepEqual(page.texts('.differences .quiet'), [
      'Name: mcp__books__find in the agent, find at the server.',
      'Waited in the agent: 100 ms before the request, 300 ms after the answer.',
    ]);
    assert.deepEqual(page.texts('.differences .loss'), ['Result cut: the agent shows 4 of 10 characters.']);
    assert.match(page.texts('.content').join(), /Inferred: the names, the arguments and the times fit/);
    await page.key('y');
    await page.until(() => page.copied.includes('MCP server: books'));
    const both = /^mcp__books__find\n.*Agent: Bookshop Agent\n.*Result · 4 characters\nMomo\n.*Momo, 1973$/s;
    assert.match(page.copied, both);
    page.click(page.button('Show in books'));
    await page.until(() => opened.length === 1);
    assert.match(opened[0] ?? '', /^server wire \d+$/);
  });

  it('lead to the server’s run, and from there to the agent’s', async () => {
    await open('agent');
    await page.key('End');
    await page.until(() => page.activeRow.includes('The index is old'));
    await page.key('Enter');
    page.click(page.button('Show in books'));
    await page.until(() => opened.length === 1);
    assert.match(opened[0] ?? '', /^server log \d+$/);
    await page.close();

    await open('server');
    await page.key('End');
    await page.until(() => page.activeRow.includes('find'));
    await page.key('Enter');
    page.click(page.button('Called by Bookshop Agent'));
    await page.until(() => opened.length === 1);
    assert.match(opened[0] ?? '', /^agent turns \d+$/);
  });
});
